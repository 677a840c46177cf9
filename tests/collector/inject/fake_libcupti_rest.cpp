// The functions of CUPTI that the fake has nothing to do for. Apart from CUPTI's headers, whose
// parameters they do without.
#define FAKE(name)                                               \
  extern "C" __attribute__((visibility("default"))) int name() { \
    return 0;                                                    \
  }

FAKE(cuptiProfilerInitialize)
FAKE(cuptiProfilerDeInitialize)
FAKE(cuptiProfilerDeviceSupported)
FAKE(cuptiActivityRegisterTimestampCallback)
FAKE(cuptiGetTimestamp)
