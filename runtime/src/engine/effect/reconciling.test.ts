import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { SignerUnavailable } from '../../ports/signer.ts'
import { InFlight } from './in-flight.ts'
import { Reconciling } from './reconciling.ts'

test('an effect goes to no person because a signer is away; what keeps failing by itself does', async () => {
  let given = 0
  const giveUp = async (): Promise<void> => {
    given += 1
  }
  const after = (): never => assert.fail('nothing waits')
  const clock = { now: () => 0, monotonic: () => 0, after }
  const reconciling = new Reconciling({ clock, tell: () => {}, inFlight: new InFlight(1) })
  const step = { dfid: 'f', step_id: 's', policy_kind: 'REFUND' }
  const failing = async (error: Error): Promise<void> => {
    for (let times = 0; times < LIMITS.rowFailures; times++)
      await reconciling.run(step, () => Promise.reject(error), giveUp)
  }
  await failing(new SignerUnavailable('the key agent does not answer'))
  assert.equal(given, 0)
  await failing(new Error('a row that cannot be read'))
  assert.equal(given, 1)
})
