/*
 * Labels, keys, and what the scores of classes say. Nothing here concerns netcl.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_EXAMPLE_WORDS_H
#define NETCL_EXAMPLE_WORDS_H

#include <math.h>

#include "../check.h"

#define TEXT_ROOM 1024

/* The lines of a file. */
typedef struct words {
  char **list;
  size_t count;
  char *text;
} words;

static words read_words(const char *path) {
  FILE *file = fopen(path, "rb");
  words made = {NULL, 0, NULL};
  size_t size = 0, room = 1 << 16, got, i, begin = 0;
  if (file == NULL) fail(path, "it cannot be opened");
  made.text = (char *)allocate(room);
  while ((got = fread(made.text + size, 1, room - size - 1, file)) > 0) {
    size += got;
    if (size + 1 < room) continue;
    room *= 2;
    made.text = (char *)realloc(made.text, room);
    if (made.text == NULL) fail("memory", "there is not enough");
  }
  if (ferror(file) || fclose(file) != 0) fail(path, "it cannot be read");
  if (size > 0 && made.text[size - 1] != '\n') made.text[size++] = '\n';
  for (i = 0; i < size; ++i) made.count += made.text[i] == '\n';
  made.list = (char **)allocate(made.count * sizeof(char *));
  made.count = 0;
  for (i = 0; i < size; ++i) {
    if (made.text[i] != '\n') continue;
    made.text[i > begin && made.text[i - 1] == '\r' ? i - 1 : i] = '\0';
    made.list[made.count++] = made.text + begin;
    begin = i + 1;
  }
  return made;
}

static void free_words(words *given) {
  free(given->list);
  free(given->text);
}

static size_t largest(const float *numbers, size_t count) {
  size_t best = 0, i;
  for (i = 1; i < count; ++i) best = numbers[i] > numbers[best] ? i : best;
  return best;
}

/* Scores become shares of 1 by softmax, where they are not that already. */
static void to_shares(float *scores, size_t count) {
  const float most = scores[largest(scores, count)];
  double sum = 0;
  size_t i, negative = 0;
  for (i = 0; i < count; ++i) {
    sum += scores[i];
    negative += scores[i] < 0;
  }
  if (negative == 0 && fabs(sum - 1) < 1e-2) return;
  for (sum = 0, i = 0; i < count; ++i) sum += scores[i] = expf(scores[i] - most);
  for (i = 0; i < count; ++i) scores[i] /= (float)sum;
}

/* CTC: of each column the best class, of equal ones in a row the first, and no blanks, which are
 * class 0. Classes 1 on are the keys, the last is a space. Gives the mean odds of what is left. */
static double decode(const float *odds, size_t columns, const words *keys, char *text,
                     size_t room) {
  const size_t classes = keys->count + 2;
  size_t column, before = 0, size = 0, letters = 0;
  double sum = 0;
  for (column = 0; column < columns; ++column) {
    const float *scores = odds + column * classes;
    const size_t best = largest(scores, classes);
    if (best != 0 && best != before) {
      const char *letter = best <= keys->count ? keys->list[best - 1] : " ";
      const size_t length = strlen(letter);
      sum += scores[best];
      ++letters;
      if (size + length + 1 > room) break;
      memcpy(text + size, letter, length);
      size += length;
    }
    before = best;
  }
  text[size] = '\0';
  return letters > 0 ? sum / (double)letters : 0;
}

#endif
