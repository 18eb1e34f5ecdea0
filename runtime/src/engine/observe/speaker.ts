/**
 * In whose name an observation is taken, or that it is not: a path is spoken of by its owner and by
 * operators, and by nobody else. Who asks is what the session says, never what the body says.
 */
import {
  type Authority,
  err,
  type FactLabel,
  type FactOwner,
  type FactSource,
  type Failure,
  findOwner,
  LIMITS,
  ok,
  type Result,
} from 'rubicon-kernel'
import { toAgentSource, toOperatorSource } from '../context/standing-fact.ts'
import type { Context } from '../engine-context.ts'
import { checkSignature } from '../rows/sign.ts'
import { buildObservationFailure, type Parsed } from './parse-observation.ts'

/** Who observes. */
export type Speaker =
  | { readonly kind: 'agent'; readonly agent_id: string }
  | { readonly kind: 'source'; readonly source_id: string }
  | { readonly kind: 'operator'; readonly by?: string }
  /** This process: in the name of the declared source that it names; as an operator where it names none. */
  | { readonly kind: 'process' }

/** In whose name it is kept. */
export type Voice = {
  readonly source: string
  readonly label: FactLabel
  readonly owner: FactOwner
  /** Null: an operator, whose word has an end. */
  readonly most: SpokenPaths | null
}

/** Whose paths are counted, and how many there may be. */
export type SpokenPaths = {
  readonly group: 'source' | 'agent'
  readonly key: string
  readonly paths: number
}

export async function resolveVoice(
  context: Context,
  authority: Authority,
  one: Parsed,
  speaker: Speaker,
): Promise<Result<Voice, Failure>> {
  const owner = findOwner(authority.sources, one.path)
  if (owner.kind === 'kernel')
    return err(buildNotOwnedFailure(one, 'the runtime reports it itself'))
  switch (speaker.kind) {
    case 'agent':
      return resolveAgentVoice(one, owner, speaker.agent_id)
    case 'source':
      return resolveSourceVoice(context, one, owner, speaker.source_id)
    case 'operator':
      if (one.source !== undefined)
        return err(buildNotOwnedFailure(one, 'an operator reports under their own name'))
      return buildOperatorVoice(owner, speaker.by)
    case 'process':
      if (one.source === undefined) return buildOperatorVoice(owner, undefined)
      return isDeclared(context, one.source)
        ? resolveSourceVoice(context, one, owner, one.source)
        : err(buildUndeclaredFailure(one, one.source))
  }
}

function buildOperatorVoice(owner: FactOwner, by: string | undefined): Result<Voice, never> {
  return ok({ source: toOperatorSource(by), label: 'operator', owner, most: null })
}

function resolveAgentVoice(one: Parsed, owner: FactOwner, agent: string): Result<Voice, Failure> {
  if (owner.kind !== 'agent' || owner.agent_id !== agent)
    return err(buildNotOwnedFailure(one, `an agent may report \`claims.${agent}.NAME\` only`))
  if (one.source !== undefined && one.source !== agent)
    return err(buildNotOwnedFailure(one, 'an agent reports under its own name'))
  if (one.untilMs !== undefined) return err(NO_END)
  const most = { group: 'agent', key: agent, paths: LIMITS.claimsPerAgent } as const
  return ok({ source: toAgentSource(agent), label: 'agent', owner, most })
}

async function resolveSourceVoice(
  context: Context,
  one: Parsed,
  owner: FactOwner,
  id: string,
): Promise<Result<Voice, Failure>> {
  if (owner.kind !== 'source' || owner.source.source_id !== id)
    return err(buildNotOwnedFailure(one, describeOwner(owner)))
  const { source } = owner
  if (one.source !== undefined && one.source !== id)
    return err(buildNotOwnedFailure(one, 'a source reports under its own name'))
  if (one.untilMs !== undefined) return err(NO_END)
  if (!(await isSigned(context, one, source)))
    return err(
      buildNotOwnedFailure(one, 'its owner has to sign the value together with `observed_at`'),
    )
  const most = { group: 'source', key: id, paths: source.max_paths } as const
  return ok({ source: id, label: source.label, owner, most })
}

/** What was signed without a time could be said again at any. */
async function isSigned(context: Context, one: Parsed, { key }: FactSource): Promise<boolean> {
  if (key === undefined) return true
  if (one.signed === undefined || one.observedMs === undefined) return false
  return checkSignature(context, key, 'observation', one.signed.text, one.signed.sig)
}

/** Whatever it reports then, also of a path that is not its own: as an operator it would be believed more. */
function isDeclared({ sources = [] }: Context, named: string): boolean {
  return sources.some(({ source_id }) => source_id === named)
}

/** A name that is misspelt, or was taken out of the options, would be believed as the word of an operator. */
function buildUndeclaredFailure({ path }: Parsed, source: string): Failure {
  return {
    code: 'FACT_NOT_OWNED',
    summary: `\`${path}\` may not be reported by \`${source}\`: no such source is declared`,
    fix: 'declare it in `sources`, or leave `source` out to report as an operator',
    meta: { path },
  }
}

function describeOwner(owner: FactOwner): string {
  if (owner.kind === 'source') return `it is owned by \`${owner.source.source_id}\``
  return owner.kind === 'agent' ? `it is a claim of \`${owner.agent_id}\`` : 'nobody owns it'
}

function buildNotOwnedFailure({ path }: Parsed, why: string): Failure {
  return {
    code: 'FACT_NOT_OWNED',
    summary: `\`${path}\` may not be reported by you: ${why}`,
    fix: 'see who owns it with `rubicon source list`, or have an operator report it',
    meta: { path },
  }
}

const NO_END = buildObservationFailure('only an operator may set `until`')
