/** Reads deltas that somebody wrote down. What is not known is refused: a member that nobody reads would be taken for one that counts. */
import { err, isObject, type JsonObject, type JsonValue, ok, type Result } from 'rubicon-kernel'
import { ARTIFACT_LIMITS } from '../limits.ts'
import type { Anchor, Delta, DeltaOp } from './delta.ts'

/** Why a value is no delta, and where in it. */
export type DeltaFormProblem = { readonly pointer: string; readonly detail: string }

type Member = 'text' | 'value' | 'flag?' | 'text?' | 'anchor?'

const FORMS: Readonly<Record<DeltaOp, Readonly<Record<string, Member>>>> = {
  addMember: { target: 'text', fragment: 'text', at: 'anchor?' },
  replaceBody: { target: 'text', fragment: 'text' },
  setSignature: { target: 'text', fragment: 'text' },
  rename: { target: 'text', name: 'text' },
  remove: { target: 'text' },
  move: { target: 'text', to: 'text', at: 'anchor?' },
  addImport: { from: 'text', name: 'text', as: 'text?', type_only: 'flag?' },
  setValue: { target: 'text', value: 'value' },
  removeKey: { target: 'text' },
  addSection: { target: 'text', fragment: 'text', at: 'anchor?' },
  replaceSection: { target: 'text', fragment: 'text' },
  putBinary: { content_hash: 'text' },
}

/** One, or a list of them. */
export function parseDeltas(value: JsonValue): Result<readonly Delta[], DeltaFormProblem> {
  const list = Array.isArray(value) ? value : [value]
  if (list.length === 0 || list.length > ARTIFACT_LIMITS.deltas)
    return err({ pointer: '', detail: `from one to ${ARTIFACT_LIMITS.deltas} deltas` })
  const deltas: Delta[] = []
  for (const [index, one] of list.entries()) {
    const pointer = Array.isArray(value) ? `/${index}` : ''
    const delta = parseDelta(one, pointer)
    if (!delta.ok) return delta
    deltas.push(delta.value)
  }
  return ok(deltas)
}

function parseDelta(value: JsonValue, pointer: string): Result<Delta, DeltaFormProblem> {
  if (!isObject(value)) return err({ pointer, detail: 'a delta is an object' })
  const { op } = value
  if (typeof op !== 'string' || !Object.hasOwn(FORMS, op))
    return err({ pointer: `${pointer}/op`, detail: `one of ${Object.keys(FORMS).join(', ')}` })
  const form = FORMS[op as DeltaOp]
  const unknown = Object.keys(value).find((name) => name !== 'op' && !Object.hasOwn(form, name))
  if (unknown !== undefined)
    return err({ pointer: `${pointer}/${unknown}`, detail: `\`${op}\` has no such member` })
  for (const [name, kind] of Object.entries(form)) {
    const detail = findMemberProblem(value, name, kind)
    if (detail !== null) return err({ pointer: `${pointer}/${name}`, detail })
  }
  return ok(value as JsonObject & Delta)
}

function findMemberProblem(delta: JsonObject, name: string, kind: Member): string | null {
  const value = delta[name]
  if (value === undefined) return kind.endsWith('?') ? null : `\`${name}\` is missing`
  switch (kind) {
    case 'text':
    case 'text?':
      return typeof value === 'string' ? null : `\`${name}\` is a text`
    case 'flag?':
      return typeof value === 'boolean' ? null : `\`${name}\` is true or false`
    case 'anchor?':
      return isAnchor(value)
        ? null
        : `\`${name}\` is {"after": PATH}, or {"after": null} for the first`
    case 'value':
      return null
  }
}

function isAnchor(value: JsonValue): value is JsonObject & Anchor {
  if (!isObject(value) || Object.keys(value).join() !== 'after') return false
  return value.after === null || typeof value.after === 'string'
}
