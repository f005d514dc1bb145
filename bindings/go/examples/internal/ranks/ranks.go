// Package ranks runs the group programs once for each rank: as processes that meet at a path, or as
// devices of one process with a goroutine each. What fails ends the process, and so the calls of
// other ranks.
package ranks

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"

	"netcl.example/netcl"
)

// Rank is one rank, as its program gets it.
type Rank struct {
	Group  *netcl.Group
	Device *netcl.Device
	Index  int
	Size   int
}

// Check ends the process where there is an error.
func Check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// Must gives the value of a call that has not failed.
func Must[T any](value T, err error) T {
	Check(err)
	return value
}

// The ranks' own number, and where they meet, for those that this package starts.
const (
	indexVariable   = "NETCL_EXAMPLE_RANK"
	meetingVariable = "NETCL_EXAMPLE_MEETING"
	most            = 16
)

// selectors are those of -device: rank r has number r, and they begin anew where there are fewer.
type selectors []string

func (s *selectors) String() string { return fmt.Sprint(*s) }

func (s *selectors) Set(selector string) error {
	*s = append(*s, selector)
	return nil
}

func (s selectors) of(index int) string {
	if len(s) == 0 {
		return "auto"
	}
	return s[index%len(s)]
}

// Ranks are those that the options -device, -threads, -meet and -ranks ask for.
type Ranks struct {
	selectors selectors
	threads   bool
	meeting   string
	size      int
}

// Options adds them to those of the program, which calls flag.Parse.
func Options() *Ranks {
	r := &Ranks{}
	flag.Var(&r.selectors, "device", "a selector of netcl; given again, those of further ranks")
	flag.BoolVar(&r.threads, "threads", false, "ranks are devices of this process")
	flag.StringVar(&r.meeting, "meet", "",
		"this process is one of mpirun's or srun's, and meets the others at this path")
	flag.IntVar(&r.size, "ranks", 4, "how many, without -meet")
	return r
}

// Run runs the program once for each rank.
func (r *Ranks) Run(program func(*Rank)) {
	if r.size < 1 || r.size > most {
		log.Fatalf("-ranks is %d; it is 1 to %d", r.size, most)
	}
	switch text, is := os.LookupEnv(indexVariable); {
	case r.threads && r.meeting != "":
		log.Fatal("-threads or -meet")
	case r.threads:
		r.runThreads(program)
	case r.meeting != "":
		index := launched("OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID")
		size := launched("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS")
		r.runProcess(r.meeting, index, size, program)
	case is:
		r.runProcess(os.Getenv(meetingVariable), Must(strconv.Atoi(text)), r.size, program)
	default:
		Check(r.startProcesses())
	}
}

// launched is a number that Open MPI, MPICH or Slurm has given to this process.
func launched(names ...string) int {
	for _, name := range names {
		if text, is := os.LookupEnv(name); is {
			return Must(strconv.Atoi(text))
		}
	}
	log.Fatalf("-meet is for processes of mpirun or srun: none of %v is there", names)
	return 0
}

func (r *Ranks) runProcess(path string, index, size int, program func(*Rank)) {
	device := Must(netcl.Open(r.selectors.of(index)))
	group := Must(netcl.JoinGroup(device, path, int(index), int(size), nil))
	program(&Rank{group, device, index, size})
	Check(group.Close())
	Check(device.Close())
}

func (r *Ranks) runThreads(program func(*Rank)) {
	devices := make([]*netcl.Device, r.size)
	for i := range devices {
		// Without it all would be one device, which has one rank.
		separate := &netcl.DeviceOptions{Separate: true}
		devices[i] = Must(netcl.OpenDevice(r.selectors.of(i), separate))
	}
	var all sync.WaitGroup
	for i, group := range Must(netcl.GroupCreateLocal(devices, nil)) {
		all.Add(1)
		go func(rank *Rank) {
			defer all.Done()
			program(rank)
			Check(rank.Group.Close())
			Check(rank.Device.Close())
		}(&Rank{group, devices[i], i, r.size})
	}
	all.Wait()
}

// startProcesses starts the ranks, which are this program once more.
func (r *Ranks) startProcesses() error {
	folder, err := os.MkdirTemp("", "netcl-group-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	program, err := os.Executable()
	if err != nil {
		return err
	}
	started := make([]*exec.Cmd, r.size)
	for i := range started {
		started[i] = exec.Command(program, os.Args[1:]...)
		started[i].Env = append(os.Environ(), fmt.Sprint(indexVariable, "=", i),
			meetingVariable+"="+filepath.Join(folder, "meet"))
		started[i].Stdout, started[i].Stderr = os.Stdout, os.Stderr
		if err := started[i].Start(); err != nil {
			return err
		}
	}
	for i, rank := range started {
		if end := rank.Wait(); end != nil {
			err = fmt.Errorf("rank %d: %w", i, end)
		}
	}
	return err
}
