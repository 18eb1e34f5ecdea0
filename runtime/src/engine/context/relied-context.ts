/**
 * The context of an agent that was handed none: it acts at once, and says what it relied on.
 *
 * R1 what the contract requires in a context, and every value that must not have moved, is among what it
 *    says; otherwise it is asked to look first.
 * R2 a value that may move within bounds is kept as the agent says it saw it, under its own name: how far
 *    it has moved since is judged as it always is. It cannot pass for what a source said, neither to people.
 * R3 whatever else it relied on is so now: the same version, or the same value. What its contract does not let
 *    it see is unknown, right or wrong, watched or not: nobody is asked about it.
 * R4 nothing else is in it: no memory, no session, no documents. Nobody was shown any.
 */
import {
  type AssembledContext,
  assembleContext,
  type Contract,
  checkJson,
  err,
  type Failure,
  findOwner,
  formatInstant,
  isEscalationPath,
  isIdentifier,
  isNameReadable,
  isObject,
  type JsonValue,
  LIMITS,
  ok,
  parseInstant,
  REASONS,
  type Result,
  type Sources,
  type StateFact,
  toCanonicalText,
} from 'rubicon-kernel'
import type { Context } from '../engine-context.ts'
import { getMissionHash } from '../rows/mission.ts'
import type { ContextWanted } from './compile-context.ts'
import { readState, StateUnavailable } from './read-outside.ts'

/** A fact that an agent relied on: as it was, or by the version that it had. */
export type ReliedFact = {
  /** Where it stands in State. */
  readonly path: string
  /** What it was; absent: that there was none. */
  readonly value?: JsonValue
  /** As its source counts. */
  readonly version?: string
  /** When the agent looked. */
  readonly observed_at: string
}

export type Relied = {
  /** As the agent says it: it may be anything. */
  readonly seen: unknown
  /** The paths of the values that may move within bounds. */
  readonly moving: readonly string[]
}

export type ReliedContext = AssembledContext & {
  /** When the agent looked first at any of it. */
  readonly lookedAt: string
}

export async function compileReliedContext(
  context: Context,
  wanted: ContextWanted,
  { seen: said, moving }: Relied,
): Promise<Result<ReliedContext, Failure>> {
  const { dfid, trigger, now, deployed } = wanted
  const { contract } = deployed
  const read = parseReliedFacts(said, now)
  if (!read.ok) return read
  const seen = read.value
  const demanded = new Set([...(contract.working_context?.requires ?? []), ...moving])
  const missing = [...demanded].filter((path) => !seen.some((fact) => fact.path === path))
  if (missing.length > 0) return err(buildRequiredFailure({ missing }))
  const state = await resolveFacts(context, contract, seen, moving, now)
  if (!state.ok) return state
  const tokenizer = await context.tokenizer()
  const assembled = assembleContext({
    dfid,
    trigger,
    now,
    contract,
    contract_hash: deployed.hash,
    mission_context_hash: getMissionHash(contract, context.sha256),
    state: state.value,
    world: [],
    session: [],
    memory: [],
    artifacts: [],
    ...(context.contextTokens === undefined ? {} : { limits: { tokens: context.contextTokens } }),
    countTokens: (text) => tokenizer.count(text),
    sha256: context.sha256,
  })
  if (!assembled.ok) return assembled
  const lookedAt = seen.reduce((least, { observed_at }) => {
    return observed_at < least ? observed_at : least
  }, now)
  return ok({ ...assembled.value, lookedAt })
}

async function resolveFacts(
  context: Context,
  { agent_id, permissions: { reads } }: Contract,
  seen: readonly ReliedFact[],
  moving: readonly string[],
  now: string,
): Promise<Result<readonly StateFact[], Failure>> {
  if (seen.length === 0) return ok([])
  const { sources } = await context.authorities.loadLatest()
  const isSaid = ({ path, value }: ReliedFact): boolean =>
    value !== undefined && moving.includes(path)
  // Of what it may not see it is not told whether it guessed right, nor whether anybody knows of it.
  const visible = seen.filter(({ path }) => isNameReadable(path, reads) && !isEscalationPath(path))
  const compared = visible.filter((fact) => !isSaid(fact)).map(({ path }) => path)
  let current: readonly StateFact[]
  try {
    current = (await readState(context, compared, { sources, now })).facts
  } catch (error) {
    if (error instanceof StateUnavailable) return err(buildUnavailableFailure(error.details))
    throw error
  }
  const facts: StateFact[] = []
  const moved: string[] = []
  const unknown: string[] = []
  for (const relied of seen) {
    const { path } = relied
    const fact = isSaid(relied)
      ? buildSaidFact(relied, agent_id, sources)
      : current.find((one) => one.path === path)
    if (fact === undefined || !visible.includes(relied)) unknown.push(path)
    else if (!isSaid(relied) && !isStillSo(relied, fact)) moved.push(path)
    else facts.push(fact)
  }
  if (unknown.length > 0) return err(buildRequiredFailure({ unknown }))
  if (moved.length > 0) return err(buildRequiredFailure({ moved }))
  return ok(facts)
}

/** The agent's word for what the owner of the path said. */
function buildSaidFact(
  { path, value, observed_at }: ReliedFact,
  agent: string,
  sources: Sources,
): StateFact | undefined {
  if (findOwner(sources, path).kind !== 'source' || value === undefined) return undefined
  const said = { source: `agent:${agent}`, label: 'agent', version: observed_at } as const
  return { path, value, observed_at, ...said }
}

function isStillSo({ value, version }: ReliedFact, fact: StateFact): boolean {
  const isSameValue = value === undefined || toCanonicalText(value) === toCanonicalText(fact.value)
  return isSameValue && (version === undefined || version === fact.version)
}

/** With the one spelling that instants have in facts: the earliest of them is found by comparing texts. */
function parseReliedFacts(said: unknown, now: string): Result<readonly ReliedFact[], Failure> {
  const checked = checkJson(said)
  if (!checked.ok || !Array.isArray(checked.value)) return err(buildFormFailure('it is no list'))
  if (checked.value.length > LIMITS.contextStatePaths)
    return err(buildFormFailure('it has too many facts'))
  const facts: ReliedFact[] = []
  for (const one of checked.value) {
    const fact = parseReliedFact(one, parseInstant(now) ?? 0)
    if (!fact.ok) return fact
    if (facts.some(({ path }) => path === fact.value.path))
      return err(buildFormFailure('it names a path twice'))
    facts.push(fact.value)
  }
  return ok(facts)
}

function parseReliedFact(said: JsonValue, nowMs: number): Result<ReliedFact, Failure> {
  if (!isObject(said) || typeof said.path !== 'string' || !isIdentifier(said.path))
    return err(buildFormFailure('it names something that is not a path of State'))
  const { path, value, version, observed_at } = said
  if (value === undefined && version === undefined)
    return err(buildFormFailure(`\`${path}\` has neither a value nor a version`))
  if (version !== undefined && typeof version !== 'string')
    return err(buildFormFailure(`the version of \`${path}\` is no text`))
  const at = typeof observed_at === 'string' ? parseInstant(observed_at) : undefined
  if (at === undefined || at > nowMs)
    return err(
      buildFormFailure(`\`${path}\` has no \`observed_at\`, or one that is not before now`),
    )
  return ok({
    path,
    ...(value === undefined ? {} : { value }),
    ...(version === undefined ? {} : { version }),
    observed_at: formatInstant(at),
  })
}

function buildFormFailure(detail: string): Failure {
  return {
    code: 'SCHEMA_INVALID',
    summary: `what the agent relied on cannot be read: ${detail}`,
    fix: 'give `seen` as a list of `{path, value or version, observed_at}`',
  }
}

function buildRequiredFailure(meta: Readonly<Record<string, readonly string[]>>): Failure {
  const { means, why, fix } = REASONS.CONTEXT_REQUIRED
  return { code: 'CONTEXT_REQUIRED', summary: means, why, fix, meta }
}

function buildUnavailableFailure(meta: Failure['meta']): Failure {
  const { means, fix } = REASONS.STATE_UNAVAILABLE
  return {
    code: 'STATE_UNAVAILABLE',
    summary: means,
    fix,
    ...(meta === undefined ? {} : { meta }),
  }
}
