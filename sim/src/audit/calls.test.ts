import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProviderEvent } from '../provider.ts'
import { AuditedCalls, toCallTrigger } from './calls.ts'
import type { Line } from './report.ts'

const FAMILY = 'anna-0'
const START = Date.parse('2026-06-01T12:00:00.000Z')

function createAudit() {
  const found: string[] = []
  let ms = 0
  const audited = new AuditedCalls(
    (_, detail) => void found.push(detail),
    () => ms,
  )
  const add = (kind: string, dfid: string, payload: unknown): void => {
    const line: Line = {
      ...{ id: '', leaf: 0, trajectory: 'main', seq: 0, kind, dfid, payload },
      ...{ at: new Date(START + ms).toISOString(), authoritySeq: undefined },
    }
    audited.add(line)
  }
  return {
    found,
    pass(by: number): void {
      ms += by
    },
    come: (call: number, names: readonly string[] = [], epoch = call) =>
      audited.recordCame({ family: FAMILY, call, names, epoch, ms }),
    end: (call: number, dfid: string | null, repeated = false) =>
      audited.recordEnded({
        ...{ family: FAMILY, call, ms },
        answer: dfid === null ? null : { dfid, repeated },
      }),
    open(call: number, dfid: string): void {
      add('writ', dfid, { flow: { trigger: toCallTrigger({ family: FAMILY, call }) } })
      add('dispatch', dfid, { intent: { intent_id: `i ${dfid}` } })
    },
    settle: (dfid: string, status: string) =>
      add('settle', dfid, { intent_id: `i ${dfid}`, status }),
    apply: (key: string) =>
      audited.auditProviderEvent({
        ...{ event: 'applied', kind: 'PAY', key, send: 1, at: ms },
        params: { memo: toCallTrigger({ family: FAMILY, call: 0 }) },
      } as ProviderEvent),
  }
}

test('calls one after the other are two acts, and nothing is found', () => {
  const it = createAudit()
  it.come(1)
  it.open(1, 'f')
  it.apply('k')
  it.settle('f', 'FAILED')
  it.end(1, 'f')
  it.pass(1)
  it.come(2)
  it.open(2, 'g')
  it.apply('l')
  assert.deepEqual(it.found, [])
})

test('a call that came while the same was under way is no other act', () => {
  const it = createAudit()
  it.come(1)
  it.come(2)
  it.open(1, 'f')
  it.apply('k')
  it.settle('f', 'FAILED')
  it.open(2, 'g')
  it.apply('l')
  assert.match(it.found.join('\n'), /came while the same was under way[\s\S]*nobody asked again/)
})

test('nor one that comes while nobody knows what became of it', () => {
  const it = createAudit()
  it.come(1)
  it.open(1, 'f')
  it.settle('f', 'UNKNOWN')
  it.come(2)
  it.open(2, 'g')
  assert.match(it.found.join(), /while the same was under way/)
})

test('nor one that came to the same process before the first was answered', () => {
  for (const epoch of [1, 2]) {
    const it = createAudit()
    it.come(1, [], 1)
    it.open(1, 'f')
    it.settle('f', 'FAILED')
    it.come(2, [], epoch)
    it.pass(1)
    it.end(1, 'f')
    it.open(2, 'g')
    assert.equal(it.found.length, epoch === 1 ? 1 : 0, it.found.join())
  }
})

test('a name stands for one act for a day, also where it was only answered', () => {
  for (const [days, count] of [
    [0, 1],
    [2, 0],
  ] as const) {
    const it = createAudit()
    it.come(1)
    it.open(1, 'f')
    it.come(2, ['key k'])
    it.end(2, 'f', true)
    it.settle('f', 'FAILED')
    it.end(1, 'f')
    it.pass(1 + days * 86_400_000)
    it.come(3, ['key k'])
    it.open(3, 'g')
    assert.equal(it.found.length, count, it.found.join())
  }
})

test('whoever is answered with an act that was over for long, and not under its name, is found', () => {
  const it = createAudit()
  it.come(1, ['key k'])
  it.open(1, 'f')
  it.settle('f', 'FAILED')
  it.end(1, 'f')
  it.pass(3_600_000)
  it.come(2, ['key k'])
  it.end(2, 'f', true)
  assert.deepEqual(it.found, [])
  it.come(3)
  it.end(3, 'f', true)
  assert.match(it.found.join(), /over for long/)
})
