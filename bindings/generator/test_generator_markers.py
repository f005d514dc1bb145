"""Tests of the markers in the header's comments. They run with those of test_generator.py."""

import unittest

from additions import function, numbered, with_addition
from model import HeaderError


class Markers(unittest.TestCase):
    """Prose decides nothing: where it says what a marker says, the marker has to be there."""

    CASES = (
        (function("netcl_tensor *tensor, netcl_queue *queue", "`queue` may be NULL."), "[opt]"),
        (function("netcl_tensor *tensor, netcl_queue *queue", "A NULL queue is the default's."),
         "[opt]"),
        (function("netcl_tensor *tensor, netcl_queue **queue",
                  "It. @param[out] queue one reference; may be NULL"), "[opt]"),
        (function("netcl_tensor *tensor, netcl_queue **queue",
                  "It. @param[out] queue one reference, NULL when it is over"), "[out,absent]"),
        (function("uint64_t *sizes", "It. @param[out] sizes 3 entries"), "[out,count="),
        (function("netcl_tensor *const *all, uint32_t all_count, netcl_tensor **made",
                  "It. @param[out] made all_count entries"), "[out,count="),
        (function("uint64_t *sizes", "It. @param[out,count=other] sizes all"), "does not exist"),
        (function("struct _cl_mem **mem", "It. @param[out] mem borrowed"), "[out,owned]"),
        (function("uint32_t causal"), "[flag]"),
        (function("uint32_t strict", "Is strict when `strict` is 1."), "[flag]"),
        (function("uint32_t strict", "It. @param strict 1: it is"), "[flag]"),
        (function("uint64_t strict", "It. @param[flag] strict it is"), "a uint32_t"),
        (function("const void *data, size_t data_size", "`data` must stay."), "[stays]"),
        (function("netcl_tensor *tensor", "Does it. Safe."), "@safe"),
        (function("netcl_tensor *tensor", "Gives the calling thread's tensor."), "@thread"),
        (function("netcl_tensor *tensor", "Does it. @save"), "`@save` is no marker"),
        (function("netcl_tensor *tensor", "It. @param[optional] tensor"), "is no marker"),
        ("/** A thing. */\ntypedef struct netcl_test { uint32_t has_size; int32_t a; } netcl_test;",
         "@flag"),
        ("/** A thing. */\ntypedef struct netcl_test { uint32_t a; /**< 1 when it is */ int32_t b; "
         "} netcl_test;", "@flag"),
        ("/** A thing. */\ntypedef struct netcl_test { int32_t a; /**< @flag it is */ int32_t b; } "
         "netcl_test;", "a uint32_t"),
        ("/** A thing. */\ntypedef struct netcl_test { uint32_t a; /**< @flag[c] it is */ int32_t b; "
         "} netcl_test;", "@flag[c] names no member"),
        ("/** A thing. */\ntypedef struct netcl_test { int32_t a; /**< @opt it is */ int32_t b; } "
         "netcl_test;", "`@opt` is no marker"),
        ("/** A thing. */\ntypedef struct netcl_test { int32_t a; /**< must stay */ int32_t b; } "
         "netcl_test;", "@stays"))

    def test_a_marker_that_is_missing_or_unknown_is_refused(self):
        with self.assertRaises(HeaderError) as caught:
            with_addition(numbered(text for text, _ in self.CASES))
        for index, (text, said) in enumerate(self.CASES):
            with self.subTest(text=text):
                own = [p for p in caught.exception.problems if f"test{index}:" in p or
                       f"test{index}." in p]
                self.assertIn(said, "\n".join(own))

    def test_prose_alone_decides_nothing(self):
        made = with_addition(function(
            "netcl_tensor *tensor, netcl_queue *queue, uint32_t level, uint64_t *size",
            "Takes NULL for what is copied and borrowed. @param queue no NULL\n"
            " * @param level 1 is little\n * @param[out] size of entries"))
        found = made.function("netcl_tensor_test")
        self.assertEqual([a.optional for a in found.arguments], [False] * 4)
        self.assertEqual([a.flag for a in found.arguments], [False] * 4)
        self.assertEqual([a.role for a in found.arguments][3], "scalar_out")
