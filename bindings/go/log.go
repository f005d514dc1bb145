//go:build cgo

package netcl

import (
	"context"
	"time"
)

// LogReader goes through the log.
type LogReader struct {
	after uint64
}

// ReadLog begins with the first record that is kept and has a sequence greater than `after`.
//
//	for log := netcl.ReadLog(0); ; {
//		record, ok := log.Next()
//		...
//	}
func ReadLog(after uint64) *LogReader {
	return &LogReader{after: after}
}

// Next gives the next record; false where there is none yet. It may be asked again later.
func (l *LogReader) Next() (LogRecord, bool) {
	record, err := LogRead(l.after)
	if err != nil {
		return LogRecord{}, false
	}
	l.after = record.Sequence
	return record, true
}

const logInterval = 20 * time.Millisecond

// FollowLog gives new records as they come, until the context ends. The library keeps the last 256:
// a gap in the sequence shows what a slow reader lost.
func FollowLog(ctx context.Context, after uint64) <-chan LogRecord {
	records := make(chan LogRecord)
	go func() {
		defer close(records)
		ticker := time.NewTicker(logInterval)
		defer ticker.Stop()
		for log := ReadLog(after); ; {
			for record, ok := log.Next(); ok; record, ok = log.Next() {
				select {
				case records <- record:
				case <-ctx.Done():
					return
				}
			}
			select {
			case <-ticker.C:
			case <-ctx.Done():
				return
			}
		}
	}()
	return records
}

// When gives the time of the record.
func (r LogRecord) When() time.Time {
	return time.Unix(0, int64(r.Time))
}
