/** What the ledger keeps of a flow's opening: its own first entry, and one with its parent. */
import {
  type Addressed,
  type DelegationPayload,
  type OpenedBy,
  type Snapshot,
  toCanonicalText,
  type Writ,
} from 'rubicon-kernel'
import type { FlowRow, Write } from '../../ports/store.ts'
import type { Deps } from '../deps.ts'
import { composeCanonicalObject } from '../rows/canonical-object.ts'
import type { Parent } from '../rows/flow-writ.ts'
import { mintSalt } from '../rows/identity.ts'

/** The flow's first entry. Its parts are canonical text already, and are written as they are. */
export function buildOpeningPayload(
  deps: Deps,
  flow: FlowRow,
  writ: Writ,
  body: string,
  snapshot: Addressed<Snapshot>,
): string {
  const { parent_dfid, contract_hash, contract_seq, event } = flow
  return composeCanonicalObject({
    salt: toCanonicalText(mintSalt(deps)),
    writ: composeCanonicalObject({
      id: `"${writ.id}"`,
      body,
      signature: toCanonicalText(writ.signature),
    }),
    flow: composeCanonicalObject({
      dfid: `"${flow.dfid}"`,
      agent_id: `"${flow.agent_id}"`,
      event_id: event === null ? undefined : `"${event.event_id}"`,
      trigger: toCanonicalText(flow.trigger),
      parent_dfid: parent_dfid === null ? undefined : `"${parent_dfid}"`,
      steps: `"${flow.steps}"`,
      contract: toCanonicalText({ hash: contract_hash, seq: contract_seq }),
      snapshot: snapshot.text,
      snapshot_id: `"${snapshot.address}"`,
    }),
  })
}

export function buildDelegationEntry(
  deps: Deps,
  parent: Parent,
  child: FlowRow,
  writ: Writ,
  opened_by: OpenedBy,
): Write {
  const payload: DelegationPayload = {
    salt: mintSalt(deps),
    parent_dfid: parent.flow.dfid,
    child_dfid: child.dfid,
    child_agent: child.agent_id,
    child_trajectory: child.trajectory,
    writ_id: writ.id,
    opened_by,
  }
  return {
    kind: 'append',
    trajectory: parent.flow.trajectory,
    entry: 'delegation',
    dfid: parent.flow.dfid,
    payload: toCanonicalText(payload),
  }
}
