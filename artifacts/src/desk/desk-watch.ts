/** A thread beside the parsers of a desk: where the process that asked is gone, this one is ended, whatever it is doing. */
const LOOKED_EVERY_MS = 500

const parent = process.ppid

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, LOOKED_EVERY_MS)
