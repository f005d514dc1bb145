package netcl_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"netcl.example/netcl"
)

// A and B are 0 to 7; A = 3 does not compile, and the fastest is at A = 5, B = 2.
func searchSpace(t *testing.T) *netcl.Space {
	t.Helper()
	space := ok(netcl.NewSpace())(t)
	must(t, space.AddInts("A", []int{0, 1, 2, 3, 4, 5, 6, 7}))
	must(t, space.AddInts("B", []int{0, 1, 2, 3, 4, 5, 6, 7}))
	return space
}

func valley(a, b int) float64 {
	return 1000 + 100*float64((a-5)*(a-5)+(b-2)*(b-2))
}

// drive answers up to most questions of a search and tells whether it is over.
func drive(t *testing.T, search *netcl.Search, most int) bool {
	t.Helper()
	for ; most > 0; most-- {
		candidate, count, config, err := search.Ask()
		must(t, err)
		if count == 0 {
			same(t, config, nil)
			return true
		}
		a, b := ok(config.Int("A"))(t), ok(config.Int("B"))(t)
		must(t, config.Close())
		if a == 3 {
			must(t, search.TellFailure(candidate, netcl.OutcomeCompile, "no three"))
			continue
		}
		samples := make([]float64, count)
		for i := range samples {
			samples[i] = valley(a, b)
		}
		must(t, search.Tell(candidate, samples))
	}
	return false
}

func TestASearchFindsTheFastest(t *testing.T) {
	space := searchSpace(t)
	defer space.Close()
	standard := ok(netcl.NewConfigFromJSON(`{"A": 1, "B": 2}`))(t)
	defer standard.Close()
	search := ok(netcl.NewSearch(space, nil, standard,
		&netcl.SearchOptions{Strategy: netcl.SearchExhaustive}))(t)
	defer search.Close()
	same(t, drive(t, search, 100000), true)
	result := ok(search.Result())(t)
	if result.Configurations != 64 || result.Evaluations != 64 || result.Median != 1000 ||
		result.DefaultMedian != 2600 || result.Gain != 2.6 || result.IsDefault || result.Tie ||
		result.Stop != netcl.StopConfidence || result.Counts[netcl.OutcomeCompile] != 8 {
		t.Fatalf("%+v", result)
	}
	best := ok(search.Best())(t)
	defer best.Close()
	same(t, ok(best.Int("A"))(t), 5)
	same(t, ok(best.Int("B"))(t), 2)
	for index := 0; index < 64; index++ {
		info, config, err := search.Candidate(index)
		must(t, err)
		a, b := ok(config.Int("A"))(t), ok(config.Int("B"))(t)
		must(t, config.Close())
		samples := ok(search.Samples(index))(t)
		same(t, uint64(len(samples)), info.SamplesCount)
		switch {
		case a == 3:
			same(t, info.Outcome, netcl.OutcomeCompile)
			same(t, info.Message, "no three")
		case samples[0] != valley(a, b) || info.Median != valley(a, b) || info.Known:
			t.Fatalf("%d, %d: %+v", a, b, info)
		}
		same(t, index != result.Best || a == 5 && b == 2, true)
		same(t, index != 0 || a == 1 && b == 2, true)
	}
	_, _, err := search.Candidate(64)
	fails(t, err, netcl.ErrNotFound, "")
	same(t, ok(search.Failure(netcl.OutcomeCompile))(t) != "", true)
	same(t, ok(search.Failure(netcl.OutcomeCrash))(t), "")
	refused(t, search.Tell(1000, []float64{1}))
	refused(t, search.TellFailure(1000, netcl.OutcomeCrash, "x\x00"))
	fails(t, failed(netcl.NewSearch(space, nil, nil, &netcl.SearchOptions{Strategy: 77})),
		netcl.ErrInvalidArgument, "strategy")
	outside := ok(netcl.NewConfigFromJSON(`{"A": 9, "B": 2}`))(t)
	defer outside.Close()
	fails(t, failed(netcl.NewSearch(space, nil, outside, nil)), netcl.ErrInvalidArgument, "")
}

func TestASearchTellsItsProgress(t *testing.T) {
	space := searchSpace(t)
	defer space.Close()
	search := ok(netcl.NewSearch(space, nil, nil, nil))(t)
	defer search.Close()
	soon, cancel := context.WithTimeout(background, 5*time.Millisecond)
	defer cancel()
	if err := failed(search.ReadEvent(soon, 0)); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	// One goroutine reads while another works.
	kinds := make(chan netcl.SearchEventKind, 10000)
	go func() {
		defer close(kinds)
		for last := uint64(0); ; last++ {
			event, err := search.ReadEvent(background, last)
			if err != nil {
				if !errors.Is(err, netcl.ErrNotFound) {
					t.Error(err)
				}
				return
			}
			if event.Sequence != last+1 || event.Fraction < 0 || event.Fraction > 1 {
				t.Errorf("after %d: %+v", last, event)
			}
			kinds <- event.Kind
		}
	}()
	same(t, drive(t, search, 100000), true)
	counts, final := map[netcl.SearchEventKind]int{}, netcl.SearchEventKind(0)
	for kind := range kinds {
		counts[kind]++
		final = kind
	}
	same(t, final, netcl.SearchEventStopped)
	same(t, counts[netcl.SearchEventStarted], 1)
	same(t, counts[netcl.SearchEventCandidate], 64)
	same(t, counts[netcl.SearchEventBest] > 0, true)

	other := ok(netcl.NewSearch(space, nil, nil, nil))(t)
	same(t, drive(t, other, 10), false)
	second := ok(other.Retain())(t)
	done := make(chan error)
	go func() { done <- second.Cancel() }()
	must(t, <-done)
	must(t, second.Close())
	same(t, drive(t, other, 1), true)
	same(t, ok(other.Result())(t).Stop, netcl.StopCancelled)
	must(t, other.Close())
	fails(t, other.Cancel(), netcl.ErrInvalidHandle, "")
}

func TestASearchGoesOnWhereAnotherEnded(t *testing.T) {
	device := open(t)
	defer device.Close()
	space := searchSpace(t)
	defer space.Close()
	database := ok(netcl.OpenTuningDatabase(":memory:"))(t)
	defer database.Close()
	key := &netcl.TuningKey{Kernel: "k", Dtypes: "f32", Shape: [24]int{64}, ShapeCount: 1}
	first := ok(netcl.NewSearch(space, nil, nil, nil))(t)
	defer first.Close()
	same(t, ok(first.Resume(database, device, key))(t), 0)
	same(t, drive(t, first, 30), false)
	must(t, first.Store(database, device, key))
	record, _, err := database.Lookup(device, key)
	must(t, err)
	same(t, record.Match, netcl.MatchNone)

	second := ok(netcl.NewSearch(space, nil, nil, nil))(t)
	defer second.Close()
	known := ok(second.Resume(database, device, key))(t)
	if known < 5 || known > 64 {
		t.Fatal(known)
	}
	same(t, drive(t, second, 100000), true)
	same(t, ok(second.Result())(t).Known, known)
	must(t, second.Store(database, device, key))
	record, config, err := database.Lookup(device, key)
	must(t, err)
	defer config.Close()
	same(t, record.Match, netcl.MatchExact)
	same(t, record.Median, 1000)
	same(t, ok(config.Int("A"))(t), 5)
	fails(t, second.Store(nil, device, key), netcl.ErrInvalidHandle, "")
	refused(t, second.Store(database, device, nil))
	refused(t, failed(second.Resume(database, device, nil)))
}

func TestARecordingIsReplayed(t *testing.T) {
	const text = `{"tune_params_keys": ["A"], "tune_params": {"A": [1, 2, 4]},
		"cache": {"1": 2.5, "2": 3.5, "4": 1.5}}`
	result := ok(netcl.SearchReplay(text, nil))(t)
	same(t, result.Recorded, 3)
	same(t, result.Optimum, 1.5e6)
	same(t, result.Best, 1.5e6)
	_, err := netcl.SearchReplay("{", nil)
	fails(t, err, netcl.ErrCorruptData, "")
}
