/**
 * One id from the trigger to the effect. Four agents decide about one trade; afterwards the story
 * is told by one SQL query, the one that the framework specification prints in §4.2.
 */
import type { JsonObject } from 'rubicon-kernel'
import type { Flow, Runtime } from 'rubicon-runtime/compose'
import type { Capability } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import type { Scenario, Stage } from '../../server/src/demo/stage.ts'
import { askAuditQuery } from './audit-story.ts'

const CHILDREN = [
  { agent: 'risk_monitor', kind: 'ASSESS_RISK', why: 'volatility is inside its band' },
  { agent: 'sentiment_agent', kind: 'READ_SENTIMENT', why: 'news score 0.61' },
  { agent: 'technical_agent', kind: 'READ_TECHNICALS', why: 'above the 20-day mean' },
] as const

export const scenario: Scenario = { name: 'dfid-propagation', play }

async function play(stage: Stage): Promise<void> {
  const kinds = CHILDREN.map(({ kind }) => kind)
  const runtime = await stage.openRuntime({
    capabilities: [
      ...kinds.map((kind) => createCapability(kind, 'read')),
      createCapability('OPEN_POSITION', 'keyed'),
    ],
  })
  for (const { agent, kind } of CHILDREN) await runtime.deploy(buildContract(agent, [kind]))
  await playAlone(stage, runtime)
  await runtime.deploy(
    buildContract('strategy_decider', [...kinds, 'OPEN_POSITION', 'SPAWN_CHILD']),
  )

  const parent = await runtime.open({
    agent: 'strategy_decider',
    trigger: 'ETH-USD moved 2.1 %',
    steps: 'many',
  })
  const dfids = [parent.dfid]
  for (const { agent, kind, why } of CHILDREN) {
    const child = await runtime.open({ agent, trigger: kind, parent: parent.dfid })
    dfids.push(child.dfid)
    const answer = await child.propose({ policy_kind: kind, params: {}, justification: why })
    stage.recordDecision(`${agent} in a child flow: ${kind}`, answer, { outcome: 'ACCEPTED' })
    stage.check(
      `${agent} is traced to its parent's mandate`,
      await isDelegated(runtime, child, parent),
    )
  }
  const opened = await parent.propose({
    policy_kind: 'OPEN_POSITION',
    params: {},
    justification: 'risk, news and chart agree',
    confidence: 0.82,
  })
  stage.recordDecision('strategy_decider: OPEN_POSITION', opened, { outcome: 'ACCEPTED' })
  for (const dfid of dfids)
    stage.check(
      `every record of flow ${dfids.indexOf(dfid) + 1} carries its dfid`,
      await isDfidCarried(runtime, dfid),
    )
  await parent.close()
  await stage.close(runtime)
  await tellStory(stage, parent.dfid)
}

/** One agent by itself: every record of its flow, in order. */
async function playAlone(stage: Stage, runtime: Runtime): Promise<void> {
  const flow = await runtime.open({ agent: 'risk_monitor', trigger: 'the hourly look' })
  const answer = await flow.propose({ policy_kind: 'ASSESS_RISK', params: {} })
  stage.recordDecision('risk_monitor alone: ASSESS_RISK', answer, { outcome: 'ACCEPTED' })
  stage.check('every record of it carries the dfid', await isDfidCarried(runtime, flow.dfid))
  const entries = await runtime.store.listFlowEntries(flow.dfid)
  stage.addInfo(`its timeline: ${entries.map(({ envelope }) => envelope.kind).join(', ')}`)
}

/** Entries, rows and the intent that was sent all name the flow. */
async function isDfidCarried({ store }: Runtime, dfid: string): Promise<boolean> {
  const entries = await store.listFlowEntries(dfid)
  const kinds = new Set(entries.map(({ envelope }) => envelope.kind))
  const rows = await store.listExecutions({ dfid, limit: 10 })
  return (
    ['writ', 'dispatch', 'commit'].every((kind) => kinds.has(kind as 'writ')) &&
    entries.every(({ envelope, payload }) => envelope.dfid === dfid && payload !== null) &&
    rows.length === 1 &&
    rows.every(({ intent }) => (JSON.parse(intent) as JsonObject).dfid === dfid)
  )
}

/** The child's writ stands under the parent's, and the parent's record says so. */
async function isDelegated({ store }: Runtime, child: Flow, parent: Flow): Promise<boolean> {
  const row = await store.readFlow(child.dfid)
  const above = await store.readFlow(parent.dfid)
  const entries = await store.listFlowEntries(parent.dfid)
  const recorded = entries.some(
    ({ envelope, payload }) =>
      envelope.kind === 'delegation' && payload?.includes(child.dfid) === true,
  )
  return recorded && row?.parent_dfid === parent.dfid && row.writs[1]?.id === above?.writs[0]?.id
}

async function tellStory(stage: Stage, dfid: string): Promise<void> {
  const rows = await askAuditQuery(stage, dfid)
  const [row] = rows
  const said = `("${row?.agent_reasoning}", ${row?.confidence})`
  const told = `${row?.agent_id} on "${row?.trigger_event}" proposed ${row?.proposed_action}`
  const ended = `${row?.validation_result}, ${row?.execution_status}`
  stage.addInfo(`the audit query: ${told} ${said}: ${ended}`)
  const whole =
    rows.length === 1 &&
    row?.agent_id === 'strategy_decider' &&
    row.trigger_event === 'ETH-USD moved 2.1 %' &&
    row.proposed_action === 'OPEN_POSITION' &&
    row.confidence === 0.82 &&
    row.validation_result === 'ACCEPTED' &&
    row.rejection_reason === null &&
    row.execution_status === 'SUCCESS' &&
    typeof row.context_hash === 'string' &&
    typeof row.idempotency_key === 'string'
  stage.check('the audit query of framework §4.2 returns the whole story', whole)
}

function createCapability(kind: string, effect: 'read' | 'keyed'): Capability {
  return {
    kind,
    effect,
    risk: 'low',
    params: { type: 'object', additionalProperties: false },
    execute: () => ({ result: { done: kind } }),
  }
}
