/**
 * What makes a Cedar text say less than whoever reads it believes: it is taken in by nobody, in whatever
 * form it comes. What stands in a ledger already is judged as it was.
 */
import { isBlank } from 'rubicon-kernel'
import { askDraft } from './cedar-evaluator.ts'
import { cutStatements } from './cedar-statements.ts'

/**
 * Line ends to an editor and none to Cedar, so that a rule in the next line is part of a comment; and signs
 * that show a text in another order than it has.
 */
const HIDING = /[\u0085\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** What is wrong, and the line of it. */
export type SilentText = { readonly line: number; readonly why: string }

/** Null: what can be read is what is there. */
export function findHiddenText(text: string): SilentText | null {
  if (!text.isWellFormed())
    return { line: 1, why: 'it has half of a surrogate pair, which is no character' }
  const found = HIDING.exec(text)
  if (found === null) return null
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const line = text.slice(0, found.index).split('\n').length
  const why = `it has the character U+${code}, which hides what is in force: write it as \\u{${code}}, in a string`
  return { line, why }
}

/** Of a text that was parsed before. Null: every rule of it can speak as it is written. */
export function findSilentRule(text: string): SilentText | null {
  const statements = cutStatements(text)
  if (statements.length === 0) return { line: 1, why: 'it has no rule: nothing of it is in force' }
  for (const { text: rule, line } of statements) {
    const parsed = askDraft((evaluator) => evaluator.policyToJson(rule))
    if (parsed.type === 'failure') continue
    const { effect, annotations = {} } = parsed.json
    const isAsking = Object.hasOwn(annotations, 'require_approval')
    if (isAsking && effect === 'permit')
      return {
        line,
        why: `line ${line}: a \`permit\` asks nobody, and \`@require_approval\` on it is never in force: write a \`forbid\``,
      }
    if (isAsking && isBlank(annotations.require_approval ?? ''))
      return { line, why: `line ${line}: \`@require_approval\` names no channel` }
  }
  return null
}
