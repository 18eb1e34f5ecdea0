import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CapabilityDescription, SignedIntent, WritPayload } from 'rubicon-kernel'
import { AuditedBranches } from './branches.ts'
import type { Line } from './report.ts'

const KINDS = [
  { kind: 'PAY', effect: 'keyed', world_only: false },
  { kind: 'LOOKUP', effect: 'read', world_only: false },
  { kind: 'SHELVE', effect: 'put_if_match', world_only: true },
  { kind: 'artifact.apply', effect: 'queryable', world_only: false, branches: 'world' },
] as readonly Partial<CapabilityDescription>[] as readonly CapabilityDescription[]

function toLine(trajectory: string): Line {
  const entry = { id: 'i', leaf: 0, seq: 1, kind: 'dispatch', at: '', payload: null }
  return { ...entry, trajectory, dfid: undefined, authoritySeq: undefined }
}

/** What is found where a flow of `opened` decides something. */
function findInFlow(opened: string, kind: string, stands = opened): readonly string[] {
  const found: string[] = []
  const audited = new AuditedBranches((_, detail) => void found.push(detail))
  audited.recordCapabilities(KINDS)
  const flow = { dfid: 'f' } as Partial<WritPayload['flow']> as WritPayload['flow']
  audited.auditOpening(toLine(opened), { salt: '', flow } as WritPayload)
  const intent = { dfid: 'f', step_id: 's', trajectory: opened, capability: `${kind}@1` }
  audited.auditDecision(toLine(stands), intent as Partial<SignedIntent> as SignedIntent)
  return found
}

test('what leaves World is found in a branch, and not in main', () => {
  assert.match(findInFlow('try', 'PAY').join(), /PAY leaves the branch/)
  assert.deepEqual(findInFlow('main', 'PAY'), [])
  for (const kind of ['LOOKUP', 'SHELVE', 'artifact.apply', 'SPAWN_CHILD'])
    assert.deepEqual(findInFlow('try', kind), [])
})

test('an intent stands where its flow does', () => {
  assert.equal(findInFlow('try', 'SHELVE', 'main').length, 2)
})

test('a child of a flow in a branch stands in it', () => {
  const found: string[] = []
  const audited = new AuditedBranches((_, detail) => void found.push(detail))
  const open = (dfid: string, trajectory: string, parent_dfid?: string): void => {
    const flow = { dfid, ...(parent_dfid === undefined ? {} : { parent_dfid }) }
    audited.auditOpening(toLine(trajectory), {
      salt: '',
      flow,
    } as Partial<WritPayload> as WritPayload)
  }
  open('above', 'try')
  open('below', 'try', 'above')
  assert.deepEqual(found, [])
  open('outside', 'main', 'above')
  assert.match(found.join(), /below a flow of try/)
})
