/**
 * A soft guard without a model: an agent that says it reduces, hedges or closes, and proposes
 * something that does not lower exposure, tells one story and acts another.
 *
 * It knows words, not meaning: "never close" is "close" to it. What it finds is a reason to look.
 */
import type { GuardInput, SoftGuard } from '../../ports/soft-guard.ts'

/** Beginnings of words that promise less exposure. */
const REDUCING = [
  'reduc',
  'hedg',
  'clos',
  'deleverag',
  'de-risk',
  'derisk',
  'unwind',
  'exit',
  'trim',
  'wind down',
]

const MOST_NAMED = 8

/** A soft guard that finds words of reducing in the justification of what does not reduce. */
export function narrativeGuard(reducing: readonly string[] = REDUCING): SoftGuard {
  return {
    name: 'narrative',
    async check({ justification, context }: GuardInput) {
      const said = reducing.filter((word) => hasWord(justification, word)).slice(0, MOST_NAMED)
      const mismatch = said.length > 0 && !context.reducing
      const why = mismatch
        ? `it says \`${said.join('`, `')}\`, and ${context.policy_kind} does not lower exposure`
        : ''
      return { mismatch, why }
    },
  }
}

/** At the beginning of a word, in any case. */
function hasWord(text: string, word: string): boolean {
  const lower = text.toLowerCase()
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    if (at === 0 || !/[a-z0-9]/.test(lower.charAt(at - 1))) return true
  }
  return false
}
