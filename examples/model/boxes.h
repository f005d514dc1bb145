/*
 * Lines of text in a map of how much each pixel belongs to one: the smallest rectangle, at any
 * angle, around each connected part, widened by what such maps leave out at the rims of letters.
 * Nothing here concerns netcl.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_EXAMPLE_BOXES_H
#define NETCL_EXAMPLE_BOXES_H

#include <math.h>

#include "../check.h"
#include "../picture.h"

typedef struct point {
  double x, y;
} point;

/* A corner, the way along the text and the way down, in pixels. */
typedef struct box {
  point corner, along, down;
} box;

/* What PP-OCR takes: odds of a pixel, mean odds of a part, how much a box is widened. */
#define PIXEL_LEAST 0.3f
#define PART_LEAST 0.5
#define WIDEN 1.6
#define SIDE_LEAST 3.0

static double length_of(point a) { return hypot(a.x, a.y); }

static point scaled(point a, double x, double y) {
  a.x *= x;
  a.y *= y;
  return a;
}

static double cross(point o, point a, point b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

/* The hull of points that are sorted by x, then y, into `hull`, which has room for twice as many
 * and one; its number. */
static size_t hull_of(const point *points, size_t count, point *hull) {
  size_t size = 0, i, lower;
  for (i = 0; i < count; ++i) {
    while (size >= 2 && cross(hull[size - 2], hull[size - 1], points[i]) <= 0) --size;
    hull[size++] = points[i];
  }
  lower = size + 1;
  for (i = count - 1; i-- > 0;) {
    while (size >= lower && cross(hull[size - 2], hull[size - 1], points[i]) <= 0) --size;
    hull[size++] = points[i];
  }
  return size > 1 ? size - 1 : size;
}

/* The rectangle around points along a direction of length 1. */
static box around(const point *points, size_t count, point way) {
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  box found;
  size_t i;
  for (i = 0; i < count; ++i) {
    const double along = points[i].x * way.x + points[i].y * way.y;
    const double down = points[i].y * way.x - points[i].x * way.y;
    low[0] = fmin(low[0], along);
    high[0] = fmax(high[0], along);
    low[1] = fmin(low[1], down);
    high[1] = fmax(high[1], down);
  }
  found.corner.x = low[0] * way.x - low[1] * way.y;
  found.corner.y = low[0] * way.y + low[1] * way.x;
  found.along.x = (high[0] - low[0]) * way.x;
  found.along.y = (high[0] - low[0]) * way.y;
  found.down.x = -(high[1] - low[1]) * way.y;
  found.down.y = (high[1] - low[1]) * way.x;
  return found;
}

/* The smallest rectangle: one of its sides lies on the hull. */
static box smallest_around(const point *hull, size_t count) {
  const point right = {1, 0};
  box best = around(hull, count, right);
  size_t i;
  for (i = 0; count > 2 && i < count; ++i) {
    point way = hull[(i + 1) % count];
    double length;
    box found;
    way.x -= hull[i].x;
    way.y -= hull[i].y;
    length = length_of(way);
    if (!(length > 0)) continue;
    way = scaled(way, 1 / length, 1 / length);
    /* Text runs to the right, at 45 degrees at most; what stands is turned when it is read. */
    while (!(way.x > 0 && fabs(way.y) <= way.x)) {
      const point next = {-way.y, way.x};
      way = next;
    }
    found = around(hull, count, way);
    if (length_of(found.along) * length_of(found.down) <
        length_of(best.along) * length_of(best.down)) {
      best = found;
    }
  }
  return best;
}

/* Widens a box around the middles of pixels by half a pixel, then by its area over its perimeter,
 * on each side. */
static box widened(box b) {
  const double along = length_of(b.along), down = length_of(b.down);
  const double by = 0.5 + WIDEN * (along + 1) * (down + 1) / (2 * (along + down + 2));
  const point a = scaled(b.along, by / along, by / along), d = scaled(b.down, by / down, by / down);
  b.corner.x += 0.5 - a.x - d.x;
  b.corner.y += 0.5 - a.y - d.y;
  b.along.x += 2 * a.x;
  b.along.y += 2 * a.y;
  b.down.x += 2 * d.x;
  b.down.y += 2 * d.y;
  return b;
}

/* A map and what of it was seen. */
typedef struct odds_map {
  const float *odds;
  int64_t height, width;
  uint8_t *left;    /* 1: belongs to text and to no part yet */
  int64_t *places;  /* those of a part */
} odds_map;

/* Takes the part that a place belongs to out of the map; its number of pixels. */
static size_t take_part(odds_map *map, int64_t start) {
  size_t count = 0, next;
  map->left[start] = 0;
  map->places[count++] = start;
  for (next = 0; next < count; ++next) {
    const int64_t y = map->places[next] / map->width, x = map->places[next] % map->width;
    int64_t dy, dx;
    for (dy = -1; dy <= 1; ++dy) {
      for (dx = -1; dx <= 1; ++dx) {
        const int64_t at = (y + dy) * map->width + x + dx;
        if (y + dy < 0 || y + dy >= map->height || x + dx < 0 || x + dx >= map->width) continue;
        if (!map->left[at]) continue;
        map->left[at] = 0;
        map->places[count++] = at;
      }
    }
  }
  return count;
}

static int by_place(const void *a, const void *b) {
  const point *p = (const point *)a, *q = (const point *)b;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  return p->y < q->y ? -1 : p->y > q->y;
}

/* The box of the part in map->places; 0 when it is too small or too unlikely. */
static int box_of_part(const odds_map *map, size_t count, box *found) {
  point *points = (point *)allocate(count * sizeof(point));
  point *hull = (point *)allocate((2 * count + 1) * sizeof(point));
  double sum = 0;
  size_t i;
  int good;
  for (i = 0; i < count; ++i) {
    sum += map->odds[map->places[i]];
    points[i].x = (double)(map->places[i] % map->width);
    points[i].y = (double)(map->places[i] / map->width);
  }
  qsort(points, count, sizeof(point), by_place);
  *found = smallest_around(hull, hull_of(points, count, hull));
  good = sum >= PART_LEAST * (double)count &&
         fmin(length_of(found->along), length_of(found->down)) >= SIDE_LEAST;
  if (good) *found = widened(*found);
  free(points);
  free(hull);
  return good;
}

/* Whether a line is read before another: from the top, and from the left where they are level. */
static int is_before(const box *a, const box *b) {
  const double level = 0.5 * fmin(length_of(a->down), length_of(b->down));
  if (fabs(a->corner.y - b->corner.y) < level) return a->corner.x < b->corner.x;
  return a->corner.y < b->corner.y;
}

/* All lines of a map, in the order of reading, with coordinates of a picture of height x width.
 * Gives an array to be freed. */
static box *find_boxes(const float *odds, int64_t map_height, int64_t map_width, int64_t height,
                       int64_t width, size_t *count) {
  const size_t size = (size_t)(map_height * map_width);
  odds_map map;
  box *boxes = NULL;
  int64_t at;
  size_t i, k, room = 0;
  map.odds = odds;
  map.height = map_height;
  map.width = map_width;
  map.left = (uint8_t *)allocate(size);
  map.places = (int64_t *)allocate(size * sizeof(int64_t));
  for (i = 0; i < size; ++i) map.left[i] = odds[i] > PIXEL_LEAST;
  *count = 0;
  for (at = 0; at < (int64_t)size; ++at) {
    const double y = (double)height / (double)map_height, x = (double)width / (double)map_width;
    box found;
    if (!map.left[at] || !box_of_part(&map, take_part(&map, at), &found)) continue;
    found.corner = scaled(found.corner, x, y);
    found.along = scaled(found.along, x, y);
    found.down = scaled(found.down, x, y);
    if (*count == room) {
      room = 2 * room + 16;
      boxes = (box *)realloc(boxes, room * sizeof(box));
      if (boxes == NULL) fail("memory", "there is not enough");
    }
    for (k = *count; k > 0 && is_before(&found, &boxes[k - 1]); --k) boxes[k] = boxes[k - 1];
    boxes[k] = found;
    ++*count;
  }
  free(map.left);
  free(map.places);
  return boxes;
}

/* The pixels of a box as a picture of their own, each from four neighbours. What stands, half as
 * high again as wide, is laid on its side. */
static picture cut_out(const picture *image, box b) {
  picture made;
  int64_t y, x, c;
  if (length_of(b.down) >= 1.5 * length_of(b.along)) {
    const point along = b.along;
    b.corner.x += along.x;
    b.corner.y += along.y;
    b.along = b.down;
    b.down = scaled(along, -1, -1);
  }
  made.width = (int64_t)fmax(1, length_of(b.along));
  made.height = (int64_t)fmax(1, length_of(b.down));
  made.channels = image->channels;
  made.samples = (uint8_t *)allocate(picture_bytes(&made));
  for (y = 0; y < made.height; ++y) {
    for (x = 0; x < made.width; ++x) {
      const double along = ((double)x + 0.5) / (double)made.width;
      const double down = ((double)y + 0.5) / (double)made.height;
      const double px = b.corner.x + along * b.along.x + down * b.down.x;
      const double py = b.corner.y + along * b.along.y + down * b.down.y;
      const double from_x = fmin(fmax(px - 0.5, 0), (double)(image->width - 1));
      const double from_y = fmin(fmax(py - 0.5, 0), (double)(image->height - 1));
      const int64_t x0 = (int64_t)from_x, y0 = (int64_t)from_y;
      const int64_t x1 = x0 + 1 < image->width ? x0 + 1 : x0;
      const int64_t y1 = y0 + 1 < image->height ? y0 + 1 : y0;
      const double fx = from_x - (double)x0, fy = from_y - (double)y0;
      for (c = 0; c < made.channels; ++c) {
        const uint8_t *s = image->samples + c;
        const int64_t step = image->channels, row = step * image->width;
        const double top = s[y0 * row + x0 * step] * (1 - fx) + s[y0 * row + x1 * step] * fx;
        const double bottom = s[y1 * row + x0 * step] * (1 - fx) + s[y1 * row + x1 * step] * fx;
        made.samples[(y * made.width + x) * step + c] =
            (uint8_t)(top * (1 - fy) + bottom * fy + 0.5);
      }
    }
  }
  return made;
}

static void turn_round(picture *image) {
  const int64_t count = image->height * image->width;
  int64_t i, c;
  for (i = 0; i < count / 2; ++i) {
    for (c = 0; c < image->channels; ++c) {
      uint8_t *a = image->samples + i * image->channels + c;
      uint8_t *b = image->samples + (count - 1 - i) * image->channels + c;
      const uint8_t kept = *a;
      *a = *b;
      *b = kept;
    }
  }
}

/* Draws a line of two pixels in red into a picture in colour. */
static void draw_line(picture *image, point from, point way) {
  const int64_t steps = 1 + (int64_t)(2 * length_of(way));
  int64_t i, k;
  for (i = 0; i <= steps; ++i) {
    for (k = 0; k < 4; ++k) {
      const double part = (double)i / (double)steps;
      const int64_t x = (int64_t)floor(from.x + part * way.x) + k % 2;
      const int64_t y = (int64_t)floor(from.y + part * way.y) + k / 2;
      if (x < 0 || y < 0 || x >= image->width || y >= image->height) continue;
      image->samples[3 * (y * image->width + x)] = 230;
      image->samples[3 * (y * image->width + x) + 1] = 30;
      image->samples[3 * (y * image->width + x) + 2] = 30;
    }
  }
}

static void draw_box(picture *image, const box *b) {
  point across = b->corner, below = b->corner;
  across.x += b->along.x;
  across.y += b->along.y;
  below.x += b->down.x;
  below.y += b->down.y;
  draw_line(image, b->corner, b->along);
  draw_line(image, b->corner, b->down);
  draw_line(image, across, b->down);
  draw_line(image, below, b->along);
}

#endif
