import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatInstant } from 'rubicon-kernel'
import { exampleRuntime } from '../../evidence/example.test-support.ts'
import type { RecordBodies } from '../../ports/record.ts'
import type { Unit } from '../../ports/store.ts'
import { buildDuePut } from '../flow/kept-claims.ts'
import { forgetRecords } from './flow-records.ts'

type Kept = RecordBodies['http_reply']

test('an answer that is kept between the look and the erasure goes with the flow', async () => {
  const example = await exampleRuntime()
  const { store, engine } = example.runtime
  const { dfid } = await example.refund('20.00')
  const place = { group: 'person ann', key: 'k1' }
  const expires_at = formatInstant(Date.now() + 3_600_000)
  const claim: Kept = {
    ...{ body_hash: 'h', reply: null, epoch: store.epoch, expires_at },
    about: dfid,
  }
  const keep = (body: Kept): Unit => ({
    guards: [],
    writes: [
      { kind: 'put_record', record: 'http_reply', ...place, body },
      buildDuePut({ ...place, body }),
    ],
  })
  assert.ok((await store.commit(keep(claim))).ok)
  const flow = await store.readFlow(dfid)
  assert.ok(flow !== null)
  const look = await forgetRecords(engine.context, flow, [])
  const reply = { status: 200, body: { said: 'Mrs Smith' } }
  assert.ok((await store.commit(keep({ ...claim, reply }))).ok)
  assert.ok(!(await store.commit(look)).ok, 'what was seen is not what is there')
  assert.ok((await engine.oversight.erase({ dfid, reason: 'asked for' })).ok)
  assert.equal(await store.readRecord('http_reply', place.group, place.key), null)
  await example.close()
})
