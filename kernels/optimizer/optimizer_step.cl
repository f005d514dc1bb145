/* What a step of an optimiser does once and not for each element. */

/* Counts a step that is not skipped. */
__kernel void netcl_count_step(__global long *step, const long step_at,
                               const __global float *found_inf, const long found_inf_at) {
  if (found_inf == 0 || found_inf[found_inf_at] == 0.0f) step[step_at] += 1;
}

/* The scale of the next loss. */
__kernel void netcl_update_loss_scale(__global float *scale, const long scale_at,
                                      __global long *tracker, const long tracker_at,
                                      const __global float *found_inf, const long found_inf_at,
                                      const float growth, const float backoff,
                                      const long interval) {
  if (found_inf[found_inf_at] != 0.0f) {
    scale[scale_at] *= backoff;
    tracker[tracker_at] = 0;
    return;
  }
  const long clean = tracker[tracker_at] + 1;
  tracker[tracker_at] = clean == interval ? 0 : clean;
  const float grown = scale[scale_at] * growth;
  if (clean == interval && isfinite(grown)) scale[scale_at] = grown;
}
