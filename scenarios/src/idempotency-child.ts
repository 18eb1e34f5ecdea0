/** Run by the idempotency scenario: dies between the effect and its record. */
import { writeSync } from 'node:fs'
import { sendUntilDeath } from './idempotency-death.ts'

const [store = '', tenant = '', stateDirectory = '', provider = ''] = process.argv.slice(2)
await sendUntilDeath(
  { store, tenant, stateDirectory, provider },
  (dfid) => void writeSync(1, dfid),
  () => {
    process.kill(process.pid, 'SIGKILL')
    return new Promise<never>(() => {})
  },
)
