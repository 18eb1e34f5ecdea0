/** Events of note: what an operator who was away for an hour is told of first. */
import type { LeafEntry } from 'rubicon-runtime/ports'
import type { EntryPayload } from './parse-payload.ts'

export const HAPPENINGS = [
  'suspended',
  'reactivated',
  'retired',
  'tripped',
  'approved',
  'modified',
  'aborted',
  'deployed',
  'revoked',
  'rules',
  'watched',
  'unwatched',
  'key',
  'erased',
] as const

export type Happening = {
  readonly what: (typeof HAPPENINGS)[number]
  /** Whose it is; null: nobody is named. */
  readonly who: string | null
  /** A name or a version: which contract, which monitor, why. */
  readonly detail: string | null
}

export function foldHappening(
  { envelope }: Pick<LeafEntry, 'envelope'>,
  payload: EntryPayload,
): Happening | null {
  const { body } = payload
  switch (envelope.kind) {
    case 'lifecycle':
      return foldMove(body)
    case 'approval':
      return foldDecision(body)
    case 'evidence':
      if (payload.source !== 'monitor' || payload.finding !== 'tripped') return null
      return { what: 'tripped', who: null, detail: toName(payload.details?.monitor) }
    case 'contract':
      if (body?.action !== 'deploy') return null
      return { what: 'deployed', who: body.by ?? null, detail: body.contract?.version ?? null }
    case 'revocation':
      return { what: 'revoked', who: body?.by ?? null, detail: body?.id ?? null }
    case 'policy':
      return foldPolicy(body)
    case 'key':
      // An operator adds a key for every agent; that one ends is of note.
      if (body?.action === undefined || body.action === 'add') return null
      return { what: 'key', who: body.by ?? null, detail: `${body.action} ${body.key_id}` }
    case 'erasure':
      if (body?.dfid === undefined) return null
      return { what: 'erased', who: body.by ?? null, detail: body.dfid }
    default:
      return null
  }
}

type Body = EntryPayload['body']

/** Nobody where the runtime did it by itself: it signs by the name of its key, which a person could have, too. */
function foldMove(body: Body): Happening | null {
  const isOwn = body?.actor === 'runtime' || body?.actor === 'registry'
  const who = isOwn ? null : (body?.by ?? null)
  const detail = toName(body?.justification)
  if (body?.to === 'SUSPENDED') return { what: 'suspended', who, detail }
  if (body?.to === 'RETIRED') return { what: 'retired', who, detail }
  if (body?.to === 'ACTIVE' && body.from === 'SUSPENDED')
    return { what: 'reactivated', who, detail }
  return null
}

/** What the runtime decides is that nobody did in time. */
function foldDecision(body: Body): Happening | null {
  const who = body?.approver ?? null
  const detail = toName(body?.justification)
  if (who === null || who === 'runtime') return null
  if (body?.decision === 'OVERRIDE') return { what: 'approved', who, detail }
  if (body?.decision === 'MODIFY') return { what: 'modified', who, detail }
  return body?.decision === 'ABORT' ? { what: 'aborted', who, detail } : null
}

function foldPolicy(body: Body): Happening | null {
  const who = body?.by ?? null
  if (body?.action === 'watch') return { what: 'watched', who, detail: body.monitor?.name ?? null }
  if (body?.action === 'unwatch') return { what: 'unwatched', who, detail: body.name ?? null }
  return body?.rules_hash === undefined ? null : { what: 'rules', who, detail: body.rules_hash }
}

function toName(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
