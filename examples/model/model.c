/*
 * model: files of ONNX look at pictures.
 *
 * usage: model classify MODEL LABELS PICTURE... [--top N] [--device SELECTOR]
 *        model read DETECTOR READER KEYS PICTURE [--turn MODEL] [--side N] [--out boxes.png]
 *        model line READER KEYS PICTURE... [--device SELECTOR]
 *        model [FOLDER] [--device SELECTOR]
 *
 *   classify  says what is in pictures, with a network that learned ImageNet and a line of LABELS
 *             for each of its classes
 *   read      finds lines of text at any angle, turns those round that MODEL of --turn takes for
 *             upside down, reads them, and draws their boxes into --out; with the models of PP-OCR
 *   line      reads pictures of one line each
 *
 * Without a command it does all three with the small models of sample/, or of FOLDER, and ends with
 * 1 when a picture is taken for something else than its name says, or a text for another.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include "boxes.h"
#include "prepare.h"
#include "words.h"

#ifndef NETCL_EXAMPLE_MODEL_SAMPLE
#define NETCL_EXAMPLE_MODEL_SAMPLE "sample"
#endif
#define LINE_HEIGHT 48
#define LINE_MOST 8192
#define TEXT_LEAST 0.5

typedef struct arguments {
  const char *selector, *turn, *out;
  int64_t top, side;
  const char **words;
  int count;
} arguments;

static netcl_device *device;

static picture load_picture(const char *path) {
  picture image;
  const char *problem = picture_load(path, &image);
  if (problem != NULL) fail(path, problem);
  return image;
}

static netcl_model *load_model(const char *path) {
  netcl_model *model = NULL;
  CHECK(netcl_model_load(device, path, NULL, &model));
  return model;
}

/* ---- What is in a picture ---- */

/* Prints the best classes of a picture; gives the best. */
static size_t classify(netcl_model *model, const words *labels, const char *path, int64_t top) {
  picture image = load_picture(path);
  const view part = middle_of(&image);
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  netcl_tensor *input = prepare(device, &image, &part, &kImageNet);
  float *scores = run_model(model, input, &info);
  const size_t count = (size_t)info.element_count;
  size_t best = 0;
  int64_t k;
  if (count != labels->count) fail(path, "the model has not as many classes as there are labels");
  to_shares(scores, count);
  printf("%s\n", picture_file_name(path));
  for (k = 0; k < top && (size_t)k < count; ++k) {
    const size_t at = largest(scores, count);
    if (k == 0) best = at;
    printf("  %6.2f %%  %s\n", 100 * scores[at], labels->list[at]);
    scores[at] = -1;
  }
  free(scores);
  netcl_tensor_release(input);
  free(image.samples);
  return best;
}

static void classify_all(const arguments *given) {
  netcl_model *model = load_model(given->words[1]);
  words labels = read_words(given->words[2]);
  int i;
  for (i = 3; i < given->count; ++i) classify(model, &labels, given->words[i], given->top);
  free_words(&labels);
  netcl_model_release(model);
}

/* ---- The text in a picture ---- */

/* A line as a model takes it: 48 rows, at least so many columns, and zeros up to a multiple of
 * `multiple`, so that lines of nearly one length are one form of the model. */
static netcl_tensor *prepare_line(const picture *line, int64_t least, int64_t most,
                                  int64_t multiple) {
  int64_t width = (LINE_HEIGHT * line->width + line->height - 1) / line->height, padded;
  int64_t pads[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  netcl_tensor *input = NULL, *result = NULL;
  view part;
  if (most > 0 && width > most) width = most;
  if (width > LINE_MOST) fail("a line", "it is too long");
  padded = width > least ? (width + multiple - 1) / multiple * multiple : least;
  part = whole(LINE_HEIGHT, width);
  input = prepare(device, line, &part, &kOcr);
  pads[7] = padded - width;
  CHECK(netcl_op_pad(input, pads, 8, NULL, NULL, &result));
  netcl_tensor_release(input);
  return result;
}

/* Reads a line into text, at most `room` bytes with the end; gives the mean odds of its letters. */
static double read_line(netcl_model *reader, const words *keys, const picture *line, char *text,
                        size_t room) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  netcl_tensor *input = prepare_line(line, 320, 0, 64);
  float *odds = run_model(reader, input, &info);
  double mean;
  /* The first class is none, the last is a space. */
  if (info.rank != 3 || (size_t)info.shape[2] != keys->count + 2) {
    fail("the model that reads", "it has not the classes of the keys, a blank and a space");
  }
  mean = decode(odds, (size_t)info.shape[1], keys, text, room);
  free(odds);
  netcl_tensor_release(input);
  return mean;
}

static int stands_on_its_head(netcl_model *turner, const picture *line) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  netcl_tensor *input = prepare_line(line, 192, 192, 1);
  float *odds = run_model(turner, input, &info);
  const int turned = info.element_count == 2 && odds[1] > 0.9f;
  free(odds);
  netcl_tensor_release(input);
  return turned;
}

/* The lines of a picture, whose shorter side is made `side` pixels where it has fewer, and whose
 * longer one 2000 where it has more. */
static box *detect(netcl_model *detector, const picture *image, int64_t side, size_t *count) {
  const int64_t shorter = image->height < image->width ? image->height : image->width;
  const int64_t longer = image->height + image->width - shorter;
  const double grow = longer > 2000    ? 2000.0 / (double)longer
                      : shorter < side ? (double)side / (double)shorter
                                       : 1;
  const int64_t height = (int64_t)fmax(32, 32 * floor(grow * (double)image->height / 32 + 0.5));
  const int64_t width = (int64_t)fmax(32, 32 * floor(grow * (double)image->width / 32 + 0.5));
  const view part = whole(height, width);
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  netcl_tensor *input = prepare(device, image, &part, &kOcr);
  float *odds = run_model(detector, input, &info);
  box *boxes;
  if (info.element_count != height * width) {
    fail("the model that detects", "its output is not as large as its input");
  }
  boxes = find_boxes(odds, height, width, image->height, image->width, count);
  free(odds);
  netcl_tensor_release(input);
  return boxes;
}

static picture in_color(const picture *image) {
  picture made = *image;
  int64_t i, count = image->height * image->width;
  made.channels = 3;
  made.samples = (uint8_t *)allocate(picture_bytes(&made));
  for (i = 0; i < 3 * count; ++i) {
    made.samples[i] = image->samples[image->channels == 3 ? i : i / 3];
  }
  return made;
}

/* Reads a picture; the lines are given with line ends between, in memory to be freed. */
static char *read_page(const arguments *given, netcl_model *detector, netcl_model *reader,
                       netcl_model *turner, const words *keys, const char *path) {
  picture image = load_picture(path), drawn = in_color(&image);
  size_t count = 0, i, size = 0;
  const uint64_t begin = now_ns();
  box *boxes = detect(detector, &image, given->side, &count);
  char *page = (char *)allocate(count * (TEXT_ROOM + 1) + 1);
  for (i = 0; i < count; ++i) {
    picture line = cut_out(&image, boxes[i]);
    char text[TEXT_ROOM];
    double odds;
    int turned = turner != NULL && stands_on_its_head(turner, &line);
    if (turned) turn_round(&line);
    odds = read_line(reader, keys, &line, text, sizeof text);
    free(line.samples);
    if (odds < TEXT_LEAST) continue;
    printf("  %5.1f %%  at (%.0f, %.0f), %.0f x %.0f%s: %s\n", 100 * odds, boxes[i].corner.x,
           boxes[i].corner.y, length_of(boxes[i].along), length_of(boxes[i].down),
           turned ? ", upside down" : "", text);
    draw_box(&drawn, &boxes[i]);
    size += (size_t)sprintf(page + size, "%s\n", text);
  }
  page[size] = '\0';
  printf("  %s: %d lines in %.0f ms\n", picture_file_name(path), (int)count,
         (double)(now_ns() - begin) / 1e6);
  if (given->out != NULL) {
    const char *problem = picture_save(given->out, &drawn);
    if (problem != NULL) fail(given->out, problem);
    printf("  the boxes are in %s\n", given->out);
  }
  free(boxes);
  free(drawn.samples);
  free(image.samples);
  return page;
}

static void read_text(const arguments *given) {
  netcl_model *detector = load_model(given->words[1]), *reader = load_model(given->words[2]);
  netcl_model *turner = given->turn != NULL ? load_model(given->turn) : NULL;
  words keys = read_words(given->words[3]);
  free(read_page(given, detector, reader, turner, &keys, given->words[4]));
  free_words(&keys);
  netcl_model_release(turner);
  netcl_model_release(reader);
  netcl_model_release(detector);
}

static void read_lines(const arguments *given) {
  netcl_model *reader = load_model(given->words[1]);
  words keys = read_words(given->words[2]);
  int i;
  for (i = 3; i < given->count; ++i) {
    picture line = load_picture(given->words[i]);
    char text[TEXT_ROOM];
    const double odds = read_line(reader, &keys, &line, text, sizeof text);
    printf("%s: %5.1f %%  %s\n", picture_file_name(given->words[i]), 100 * odds, text);
    free(line.samples);
  }
  free_words(&keys);
  netcl_model_release(reader);
}

/* ---- The small models ---- */

static const char *in_folder(const char *folder, const char *name) {
  static char paths[4][4096];
  static unsigned next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

/* 1 when a text is not that of a file. */
static int differs(const char *text, const char *path) {
  words wanted = read_words(path);
  size_t i;
  int wrong = 0;
  for (i = 0; i < wanted.count; ++i) {
    const size_t length = strlen(wanted.list[i]);
    wrong = wrong || strncmp(text, wanted.list[i], length) != 0 || text[length] != '\n';
    if (wrong) break;
    text += length + 1;
  }
  wrong = wrong || *text != '\0';
  free_words(&wanted);
  printf("  %s\n", wrong ? "WRONG" : "right");
  return wrong;
}

static int run_sample(const arguments *given, const char *folder) {
  arguments page = *given;
  netcl_model *classifier = load_model(in_folder(folder, "classify.onnx"));
  netcl_model *detector = load_model(in_folder(folder, "detect.onnx"));
  netcl_model *reader = load_model(in_folder(folder, "read.onnx"));
  netcl_model *turner = load_model(in_folder(folder, "turn.onnx"));
  words labels = read_words(in_folder(folder, "labels.txt"));
  words keys = read_words(in_folder(folder, "keys.txt"));
  char name[256], *text;
  size_t i;
  int wrong = 0;
  if (!NETCL_EXAMPLE_PNG) fail(folder, "its pictures are PNG, and this build has no libpng");
  for (i = 0; i < labels.count; ++i) {
    snprintf(name, sizeof name, "%s.png", labels.list[i]);
    wrong += classify(classifier, &labels, in_folder(folder, name), 2) != i;
  }
  printf("  %s\n", wrong > 0 ? "WRONG" : "right");
  page.side = 32;
  if (page.out == NULL) page.out = "boxes.png";
  text = read_page(&page, detector, reader, turner, &keys, in_folder(folder, "page.png"));
  wrong += differs(text, in_folder(folder, "page.txt"));
  free(text);
  free_words(&keys);
  free_words(&labels);
  netcl_model_release(turner);
  netcl_model_release(reader);
  netcl_model_release(detector);
  netcl_model_release(classifier);
  return wrong > 0;
}

/* ---- Arguments ---- */

static int usage(const arguments *given) {
  free(given->words);
  fprintf(stderr,
          "usage: model classify MODEL LABELS PICTURE... [--top N] [--device SELECTOR]\n"
          "       model read DETECTOR READER KEYS PICTURE [--turn MODEL] [--side N] [--out FILE]\n"
          "       model line READER KEYS PICTURE... [--device SELECTOR]\n"
          "       model [FOLDER] [--device SELECTOR]\n");
  return 2;
}

static int64_t number_of(const char *option, const char *text, long most) {
  char *end = NULL;
  const long value = strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || value < 1 || value > most) {
    fail(option, "its value is no number that is possible");
  }
  return value;
}

/* 0 when an option is unknown or has no value. */
static int read_arguments(int argc, char **argv, arguments *given) {
  int i;
  for (i = 1; i < argc; ++i) {
    const char *option = argv[i];
    if (strncmp(option, "--", 2) != 0) {
      given->words[given->count++] = option;
      continue;
    }
    if (++i == argc) return 0;
    if (strcmp(option, "--device") == 0) given->selector = argv[i];
    else if (strcmp(option, "--turn") == 0) given->turn = argv[i];
    else if (strcmp(option, "--out") == 0) given->out = argv[i];
    else if (strcmp(option, "--top") == 0) given->top = number_of(option, argv[i], 1000000);
    else if (strcmp(option, "--side") == 0) given->side = number_of(option, argv[i], 8192);
    else return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  arguments given = {"auto", NULL, NULL, 5, 736, NULL, 0};
  const char *command;
  int code = 0;
  program_name = "model";
  given.words = (const char **)allocate((size_t)argc * sizeof(const char *));
  if (!read_arguments(argc, argv, &given)) return usage(&given);
  command = given.count > 0 ? given.words[0] : "";
  if (strcmp(command, "classify") == 0 ? given.count < 4
      : strcmp(command, "read") == 0   ? given.count != 5
      : strcmp(command, "line") == 0   ? given.count < 4
                                       : given.count > 1) {
    return usage(&given);
  }
  CHECK(netcl_device_open(given.selector, NULL, &device));
  if (strcmp(command, "classify") == 0) classify_all(&given);
  else if (strcmp(command, "read") == 0) read_text(&given);
  else if (strcmp(command, "line") == 0) read_lines(&given);
  else code = run_sample(&given, given.count > 0 ? command : NETCL_EXAMPLE_MODEL_SAMPLE);
  netcl_device_release(device);
  free(given.words);
  return code;
}
