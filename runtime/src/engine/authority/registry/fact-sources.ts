/** Registers who may say what is so, and takes it back: signed by an operator. */
import {
  type Authority,
  err,
  type FactSource,
  type Failure,
  findClaimedPattern,
  type JsonValue,
  LIMITS,
  ok,
  parseFactSource,
  type Result,
  toCanonicalText,
} from 'rubicon-kernel'
import type { DeclaredSource } from '../../../ports/fact-source.ts'
import { signDocument } from '../../rows/sign.ts'
import {
  appendAuthority,
  buildAuthorityChange,
  type Registrar,
  type SignedEntry,
} from './append-authority.ts'

export type RegisteredSource = { readonly source: FactSource; readonly unchanged: boolean }

/** By an operator: one of the same name takes its place; the same description again changes nothing. */
export function registerSource(
  registrar: Registrar,
  input: JsonValue,
  by?: string,
): Promise<Result<RegisteredSource, Failure>> {
  return register(registrar, input, checkSourceAdmission, by)
}

async function register(
  registrar: Registrar,
  input: JsonValue,
  refusal: (authority: Authority, source: FactSource) => Failure | null,
  by?: string,
): Promise<Result<RegisteredSource, Failure>> {
  const parsed = parseFactSource(input)
  if (!parsed.ok) return err(buildSourceInvalidFailure(parsed.error))
  const source = parsed.value
  const done = await appendAuthority(registrar, async (authority) => {
    if (isSame(authority.sources.byId.get(source.source_id), source)) return buildAuthorityChange()
    const problem = refusal(authority, source)
    return problem === null
      ? buildAuthorityChange(await signSourceEntry(registrar, source, by))
      : err(problem)
  })
  return done.ok ? ok({ source, unchanged: done.value.appended === 0 }) : done
}

async function signSourceEntry(
  registrar: Registrar,
  source: FactSource,
  by: string | undefined,
): Promise<SignedEntry> {
  const body = { action: 'register', ...source, ...(by === undefined ? {} : { by }) }
  const signature = await signDocument(registrar, 'operator', 'source', body)
  return { kind: 'source', payload: { body, signature } }
}

export async function retireSource(
  registrar: Registrar,
  source_id: string,
  by?: string,
): Promise<Result<{ readonly seq: number }, Failure>> {
  const done = await appendAuthority(registrar, async (authority) => {
    if (!authority.sources.byId.has(source_id)) return err(buildUnknownSourceFailure(source_id))
    const body = { action: 'retire', source_id, ...(by === undefined ? {} : { by }) }
    const signature = await signDocument(registrar, 'operator', 'source', body)
    return buildAuthorityChange({ kind: 'source', payload: { body, signature } })
  })
  return done.ok ? ok({ seq: done.value.seq }) : done
}

/**
 * What the process declares is in force before it decides anything. It is registered by this only where
 * nothing is known of its name: of two processes each would otherwise replace what the other declares,
 * and every restart would bring back what an operator has changed or retired.
 */
export async function registerDeclared(
  registrar: Registrar,
  declared: readonly DeclaredSource[],
): Promise<Result<void, Failure>> {
  for (const { read: _, ...description } of declared) {
    const done = await register(registrar, description, checkDeclaration)
    if (!done.ok) return done
  }
  return ok(undefined)
}

function isSame(known: FactSource | undefined, source: FactSource): boolean {
  return known !== undefined && toCanonicalText(known) === toCanonicalText(source)
}

function checkDeclaration(authority: Authority, source: FactSource): Failure | null {
  const { source_id } = source
  const { byId, retired } = authority.sources
  if (!byId.has(source_id) && !retired.has(source_id))
    return checkSourceAdmission(authority, source)
  return {
    code: 'SOURCE_DIFFERS',
    summary: byId.has(source_id)
      ? `\`${source_id}\` is registered with another label, other paths, another number of them or another key`
      : `\`${source_id}\` was retired by an operator`,
    why: 'decisions rely on what is registered, and starting a process does not change it',
    fix: 'declare the source as `rubicon source list` shows it, or change what is registered: rubicon source add NAME',
  }
}

function checkSourceAdmission({ sources }: Authority, source: FactSource): Failure | null {
  if (sources.byId.size >= LIMITS.sources && !sources.byId.has(source.source_id))
    return {
      code: 'SOURCES_FULL',
      summary: `there are ${LIMITS.sources} sources already`,
      fix: 'retire one: rubicon source retire NAME',
    }
  const claimed = findClaimedPattern(sources, source)
  if (claimed === null) return null
  return {
    code: 'SOURCE_CLAIMED',
    summary: `\`${claimed.pattern}\` is owned by \`${claimed.source_id}\``,
    why: 'with two owners of a path, nobody could tell whose value counts',
    fix: 'name a longer path, or retire the other: rubicon source retire NAME',
  }
}

function buildSourceInvalidFailure(problem: string): Failure {
  return {
    code: 'SCHEMA_INVALID',
    summary: `the source cannot be registered: ${problem}`,
    fix: 'send `{source_id, label, paths, max_paths?, key?}`',
  }
}

function buildUnknownSourceFailure(id: string): Failure {
  return {
    code: 'SOURCE_UNKNOWN',
    summary: `there is no source \`${id}\``,
    fix: 'see `rubicon source list`',
  }
}
