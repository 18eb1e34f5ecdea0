/** The company of the demo: its agents, what they can do, what is outside, and how it plays a story. */
import {
  type EscalationDecision,
  type EscalationRequest,
  formatInstant,
  type JsonValue,
  LIMITS,
  type TopicRow,
  type TopologyRow,
} from 'rubicon-kernel'
import {
  createScriptedProvider,
  type Flow,
  RubiconError,
  type Runtime,
  type ScriptedReply,
} from 'rubicon-runtime/compose'
import type { CedarText } from 'rubicon-runtime/policies'
import type {
  Capability,
  DeclaredSource,
  ModelPrice,
  ModelProvider,
  SoftGuard,
} from 'rubicon-runtime/ports'
import { COMPANY_TOPICS } from './alarm.ts'
import { LEAD } from './contracts.ts'
import { createMarketSource, createOutside, type Outside } from './outside.ts'
import { COMPANY_TOPOLOGIES } from './proven.ts'
import { createReader } from './reader.ts'
import { COMPANY_RULES } from './rules.ts'
import type { Incident, Story, StoryDecision, StoryReply } from './story.ts'
import { createCompanyTools } from './tools.ts'

export type Company = {
  readonly outside: Outside
  readonly capabilities: readonly Capability[]
  /** Rules for all of its agents. */
  readonly policies: readonly CedarText[]
  readonly topics: readonly TopicRow[]
  readonly topologies: readonly TopologyRow[]
  /** What the models of its agents say next: a story writes it down before they are asked. */
  readonly script: ScriptedReply[]
  readonly models: Readonly<Record<string, ModelProvider>>
  /** Who reads what its agents say. */
  readonly softGuards: readonly SoftGuard[]
  createSources(now: () => number): readonly DeclaredSource[]
}

export function createCompany(): Company {
  const outside = createOutside()
  const script: ScriptedReply[] = []
  const provider = createScriptedProvider({ script: () => script.shift() ?? '', price: PRICE })
  return {
    outside,
    script,
    models: { scripted: provider },
    softGuards: [createReader(PRICE)],
    capabilities: createCompanyTools(outside),
    policies: [COMPANY_RULES],
    topics: COMPANY_TOPICS,
    topologies: COMPANY_TOPOLOGIES,
    createSources: (now) => [createMarketSource(outside, now)],
  }
}

/** As a small model costs. */
const PRICE: ModelPrice = { input: '0.25', output: '1.25' }

/** The person of the history. Whoever looks at the demo has a name of their own. */
export const PERSON = 'ann@example.com'

export type Lead = {
  /** Resolves when it has done what it was woken for. */
  awaitRest(): Promise<void>
}

/** The agent above says yes to what its own contract admits, and takes back what is half done. */
export function startLead(runtime: Runtime): Lead {
  const work = new Set<Promise<unknown>>()
  runtime.on(LEAD, (flow) => {
    const done = handleLeadFlow(runtime, flow).finally(() => work.delete(done))
    work.add(done)
    return done
  })
  return {
    async awaitRest() {
      // What was opened for it just now is handed to it in a turn of its own.
      await new Promise((resolve) => setImmediate(resolve))
      await Promise.allSettled(work)
    },
  }
}

async function handleLeadFlow({ engine }: Runtime, flow: Flow): Promise<void> {
  const { trigger, state } = flow.context
  if (trigger.startsWith(COMPENSATE)) {
    await flow.compensate(trigger.slice(COMPENSATE.length), 'REVERT')
    await flow.close()
    return
  }
  const request = parseRequest(state[0]?.value)
  if (request === undefined) return
  const approval = { decision: 'OVERRIDE', why: 'a small one, and as the terms say' } as const
  const decision = buildApproval(request, engine.context.clock.now(), approval)
  await flow.resolveEscalation(request.id, decision)
}

const COMPENSATE = 'compensate '

/** Whoever is woken to decide finds the request as the first fact of its State. */
function parseRequest(value: JsonValue | undefined): EscalationRequest | undefined {
  return (value as unknown as { readonly request?: EscalationRequest } | undefined)?.request
}

/** How time passes between two steps of a story: of itself, or by hand. */
export type Pass = (ms: number) => Promise<void>

export async function playStory(
  runtime: Runtime,
  company: Company,
  story: Story,
  pass: Pass,
): Promise<void> {
  const { outside } = company
  const {
    agent,
    trigger,
    sees,
    isJob = false,
    isSettledBefore = false,
    replies,
    decided,
    reviewed,
  } = story
  const state = sees === undefined ? {} : { state: sees }
  const below = story.parent === undefined ? {} : { parent: story.parent }
  const steps = isJob ? ({ steps: 'many' } as const) : {}
  const flow = await runtime
    .open({ agent, trigger, ...state, ...steps, ...below })
    .catch(ignoreRefusal)
  if (flow === null) return
  outside.losesAnswer = story.outside === 'loses_answer'
  outside.hasNoOffers = story.outside === 'has_no_offers'
  try {
    for (const [index, reply] of replies.entries()) {
      await pass(THINKING_MS)
      if (story.outside === 'moves_price' && index === 0) movePrice(outside)
      const atom = isSettledBefore ? await flow.atom().catch(ignoreRefusal) : null
      await think(runtime, company, flow, reply)
      const under = atom === null ? reply : { ...reply, atom_id: atom.atom_id }
      await flow.propose(under, isElsewhere(runtime) ? { waitMs: 0 } : {})
    }
  } finally {
    outside.losesAnswer = false
    outside.hasNoOffers = false
  }
  if (decided !== undefined) await decide(runtime, flow, decided, pass)
  if (reviewed !== undefined) await review(runtime, flow, reviewed, pass)
}

/** Somebody above has several things done, each in a flow of its own below the same one. */
export async function playIncident(
  runtime: Runtime,
  company: Company,
  { agent, trigger, parts }: Incident,
  pass: Pass,
): Promise<void> {
  const above = await runtime.open({ agent, trigger, steps: 'many' }).catch(ignoreRefusal)
  if (above === null) return
  for (const part of parts) await playStory(runtime, company, { ...part, parent: above.dfid }, pass)
  await above.close()
}

const THINKING_MS = 800

/** The model is asked, and says what the story has for it: so it stands in the record, with what it cost. */
async function think(
  { engine }: Runtime,
  { script, capabilities }: Company,
  { dfid, context }: Flow,
  { policy_kind, params, justification }: StoryReply,
): Promise<void> {
  const tool = capabilities.find(({ kind }) => kind === policy_kind)
  if (tool === undefined) return
  const { kind: name, summary: description = '' } = tool
  script.push({
    text: justification,
    calls: [{ name, arguments: JSON.stringify(params) }],
  })
  await engine.generate(dfid, {
    model: 'scripted-1',
    system: context.mission,
    messages: [{ role: 'user', text: context.trigger }],
    tools: [{ name, description, params: tool.params }],
    max_tokens: MOST_TOKENS,
  })
  script.length = 0
}

const MOST_TOKENS = 400

/** Whoever carries out what is decided may be another process, which may not be there yet. */
function isElsewhere({ engine }: Runtime): boolean {
  return engine.context.executors === 'elsewhere'
}

/** By one percent: more than an order may see pass by. */
function movePrice({ prices }: Outside): void {
  const [low, high] = ['1.0842', '1.0951']
  prices.EUR = prices.EUR === low ? high : low
}

async function decide(
  runtime: Runtime,
  { dfid }: Flow,
  story: StoryDecision,
  pass: Pass,
): Promise<void> {
  const { oversight, context } = runtime.engine
  const rows = await oversight.escalations()
  const by = { kind: 'person', principal: PERSON } as const
  for (const { id } of rows.filter((row) => row.dfid === dfid)) {
    // Whoever decides about much looks at it for a while.
    await pass(LIMITS.highImpactDwellMs + READING_MS)
    const request = (await oversight.escalation(id))?.request
    if (request === undefined) return
    const { params } = story
    const modified = params === undefined ? undefined : { params }
    const judged =
      modified === undefined ? null : await oversight.judgeModification(id, modified, by)
    await pass(LIMITS.highImpactDwellMs)
    const decision = {
      ...buildApproval(request, context.clock.now(), story),
      ...(modified === undefined ? {} : { modified }),
      ...(judged?.ok === true && judged.value.digest !== null
        ? { modification: judged.value.digest, acknowledgement: judged.value.acknowledge ?? '' }
        : {}),
    }
    await oversight.decideEscalation(id, decision, by)
  }
}

/** Whoever reviews has heard what the guard said, and looked at it for a while. */
async function review(
  { engine }: Runtime,
  { dfid }: Flow,
  justification: string,
  pass: Pass,
): Promise<void> {
  await engine.context.advisers.guards.awaitSettled()
  await pass(READING_MS)
  await engine.oversight.reviewFlow(dfid, { by: PERSON, justification })
}

const READING_MS = 60_000
const VALID_MS = 60 * 60_000

function buildApproval(
  { intent_digest, shown_snapshot, triggers, impact, acknowledge }: EscalationRequest,
  now: number,
  { decision, why }: Pick<StoryDecision, 'decision' | 'why'>,
): EscalationDecision {
  const bound = { decision, intent_digest, shown_snapshot, justification: why }
  if (decision === 'ABORT') return { ...bound, lifts: [] }
  return {
    ...bound,
    lifts: triggers.map(({ id }) => id),
    valid_until: formatInstant(now + VALID_MS),
    acknowledged_impact: impact,
    ...(acknowledge === undefined ? {} : { acknowledgement: acknowledge }),
  }
}

/** A person or a monitor may have stopped the agent: it goes on asking, and is refused. */
function ignoreRefusal(error: unknown): null {
  if (error instanceof RubiconError) return null
  throw error
}
