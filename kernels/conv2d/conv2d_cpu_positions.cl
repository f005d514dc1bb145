/* How convolutions for CPUs that go over positions pack x. It follows conv2d_cpu.cl.
 *
 * Images that are padded and laid one below the other make one long row of positions: position p
 * stands for row p / width % height and column p % width of an output, some of which do not exist.
 * A tap of the filter then lies at a fixed distance from each position, whatever row it is in. With
 * strides x is split into stride_h * stride_w planes, each of which is such a row of its own. */
typedef struct {
  long first;           /* position of the block */
  int count;            /* positions of the block */
  int length;           /* positions of x that it needs */
  int width, height;    /* of a padded image in positions */
  int planes_h, planes_w;
  int pitch;            /* elements from one plane to the next */
} Block;

/* Positions of one row: zeros, `count` elements of x, zeros. */
typedef struct {
  long source;
  int at, before, count, after;
} Piece;

/* The pieces of a plane's positions from `at` on, at most `most` of them. */
inline int netcl_cut_plane(const Layout *x_at, const Block *block, int plane_h, int plane_w,
                           long stride_h, long stride_w, long padding_h, long padding_w, int at,
                           int most, Piece *pieces) {
  /* Columns whose element exists. */
  const long start = padding_w - plane_w;
  const long end = x_at->shape[3] + start;
  const int low =
      start <= 0 ? 0 : (int)min((long)block->width, (start + stride_w - 1) / stride_w);
  const int high = end <= 0 ? 0 : (int)min((long)block->width, (end + stride_w - 1) / stride_w);
  const long position = block->first + at;
  long image = position / block->width / block->height;
  int row = (int)(position / block->width % block->height);
  int column = (int)(position % block->width);
  int used = 0;
  for (; used < most && at < block->length; ++used) {
    const int run = min(block->width - column, block->length - at);
    const long down = row * stride_h + plane_h - padding_h;
    const int there = image < x_at->shape[0] && down >= 0 && down < x_at->shape[2];
    const int from = there ? clamp(low - column, 0, run) : run;
    const int to = there ? clamp(high - column, from, run) : run;
    pieces[used].source = image * x_at->strides[0] + down * x_at->strides[2] +
                          ((column + from) * stride_w + plane_w - padding_w) * x_at->strides[3];
    pieces[used].at = at;
    pieces[used].before = from;
    pieces[used].count = to - from;
    pieces[used].after = run - to;
    at += run;
    column = 0;
    if (++row == block->height) {
      row = 0;
      ++image;
    }
  }
  return used;
}

/* Lines of one channel (`lines` 1), or of four that lie beside each other. */
inline void netcl_pack_pieces(const __global STORAGE(X) *x, long step, const Piece *pieces,
                              int used, int lines, long line_pitch, __global NETCL_T *target) {
  for (int p = 0; p < used; ++p) {
    __global NETCL_T *const to = target + pieces[p].at;
    const int count = pieces[p].count;
    for (int k = 0; k < lines; ++k) {
      netcl_zero_line(pieces[p].before, to + k * line_pitch);
      netcl_zero_line(pieces[p].after, to + k * line_pitch + pieces[p].before + count);
    }
    if (lines == 4) {
      netcl_copy_lines_4(x + pieces[p].source, step, count, to + pieces[p].before, line_pitch);
    } else {
      netcl_copy_line(x + pieces[p].source, step, count, to + pieces[p].before);
    }
  }
}

#define NETCL_PIECES 32
#define NETCL_PLANES 4

/* Some planes, from `first` on, of `channels` channels; x points at the first of them. Channels are
 * the outer loop, because planes share the lines of x. */
inline void netcl_pack_planes(const __global STORAGE(X) *x, const Layout *x_at, const Block *block,
                              long channels, long stride_h, long stride_w, long padding_h,
                              long padding_w, int first, int planes, __global NETCL_T *target) {
  const long channel_pitch = (long)block->planes_h * block->planes_w * block->pitch;
  const int beside = x_at->strides[1] == 1 && x_at->strides[3] != 1;
  /* Planes of one row of planes read the same lines. */
  const int ahead = min(block->planes_w, planes);
  Piece pieces[NETCL_PLANES][NETCL_PIECES];
  for (int at = 0; at < block->length;) {
    int used = 0;
    for (int k = 0; k < planes; ++k) {
      used = netcl_cut_plane(x_at, block, (first + k) / block->planes_w,
                             (first + k) % block->planes_w, stride_h, stride_w, padding_h,
                             padding_w, at, NETCL_PIECES, pieces[k]);
    }
    for (long c = 0; c < channels;) {
      const int lines = beside && c + 4 <= channels ? 4 : 1;
      if (x_at->strides[3] == 1) {
        const __global STORAGE(X) *const next = x + (c + 1) * x_at->strides[1];
        for (int k = 0; k < planes; k += ahead) {
          for (int p = 0; p < used; ++p) {
            netcl_prefetch_line(next + pieces[k][p].source, pieces[k][p].count * (int)stride_w);
          }
        }
      }
      for (int k = 0; k < planes; ++k) {
        netcl_pack_pieces(x + c * x_at->strides[1], stride_w * x_at->strides[3], pieces[k], used,
                          lines, channel_pitch,
                          target + c * channel_pitch + (long)(first + k) * block->pitch);
      }
      c += lines;
    }
    const Piece *const last = pieces[0] + used - 1;
    at = last->at + last->before + last->count + last->after;
  }
}

/* All planes of a block. */
inline void netcl_pack_block(const __global STORAGE(X) *x, const Layout *x_at, const Block *block,
                             long channels, long stride_h, long stride_w, long padding_h,
                             long padding_w, __global NETCL_T *target) {
  const int planes = block->planes_h * block->planes_w;
  for (int first = 0; first < planes; first += NETCL_PLANES) {
    netcl_pack_planes(x, x_at, block, channels, stride_h, stride_w, padding_h, padding_w, first,
                      min(NETCL_PLANES, planes - first), target);
  }
}

/* Where the taps of a filter lie, in elements from a position of a channel's first plane. */
inline void netcl_place_taps(const Layout *w_at, const Block *block, long stride_h, long stride_w,
                             long dilation_h, long dilation_w, __global int *taps) {
  for (long i = 0; i < w_at->shape[2]; ++i) {
    const long down = i * dilation_h;
    for (long j = 0; j < w_at->shape[3]; ++j) {
      const long across = j * dilation_w;
      const long plane = down % stride_h * block->planes_w + across % stride_w;
      taps[i * w_at->shape[3] + j] =
          (int)(plane * block->pitch + down / stride_h * block->width + across / stride_w);
    }
  }
}

/* A block of positions for `filters` filters. */
inline void netcl_finish_block(const __global NETCL_T *sums, long pitch, const Block *block,
                               int filters, long filter, __global STORAGE(X) *y,
                               const Layout *y_at, const __global NETCL_T *scale,
                               long scale_offset,
                               const __global STORAGE(NETCL_SHIFT_TYPE) *shift, long shift_offset,
                               long shift_stride, const __global STORAGE(X) *residual,
                               const Layout *residual_at, NETCL_T alpha, NETCL_T beta) {
  const long row_in_all = block->first / block->width;
  long image = row_in_all / block->height;
  int row = (int)(row_in_all % block->height);
  int column = (int)(block->first % block->width);
  int at = 0;
  while (at < block->count && image < y_at->shape[0]) {
    const int run = min(block->width - column, block->count - at);
    const int there = min(run, (int)y_at->shape[3] - column);
    if (row < y_at->shape[2] && there > 0) {
      netcl_finish_rows(sums + at, pitch, filters, there, image, filter, row, column, y, y_at,
                        scale, scale_offset, shift, shift_offset, shift_stride, residual,
                        residual_at, alpha, beta);
    }
    at += run;
    column = 0;
    if (++row == block->height) {
      row = 0;
      ++image;
    }
  }
}
