/** Archives, as a process of its own, and is killed where its first argument says: `STEP STORE STATE FILE`. */
import { PassThrough } from 'node:stream'
import { moveFlows } from './archive.ts'
import { Options } from './call.ts'
import { createOutput } from './output.ts'

const [at = '', store = '', state = '', file = ''] = process.argv.slice(2)
const silent = { write: () => true }
const streams = { stdout: silent, stderr: silent, stdin: new PassThrough(), env: {} }
const call = {
  args: [],
  options: new Options({ quiet: true }),
  out: createOutput(streams, true),
  streams,
  place: { store, state, tenant: 'default', keyAgent: undefined, passphraseFile: undefined },
}
await moveFlows(call, file, Date.UTC(2999, 0), (step) => {
  if (step === at) process.kill(process.pid, 'SIGKILL')
})
