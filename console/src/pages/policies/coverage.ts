import type { RuleCoverage } from 'rubicon-agents/client'

export type Coverage = {
  readonly kind: 'erred' | 'decided' | 'silent' | 'unasked'
  readonly word: string
  /** Of the decisions in which it was asked, in percent. */
  readonly share: number
}

/** The worst that can be said of a rule: that it errs, that it is never asked, that it never decides. */
export function describeCoverage({ evaluated, determined, erred }: RuleCoverage): Coverage {
  const computeShare = (count: number): number => Math.round((100 * count) / evaluated)
  if (evaluated === 0) return { kind: 'unasked', word: 'never evaluated', share: 0 }
  if (erred > 0)
    return { kind: 'erred', word: `error in ${erred} of ${evaluated}`, share: computeShare(erred) }
  if (determined === 0)
    return { kind: 'silent', word: `evaluated ${evaluated} times, never decided`, share: 0 }
  const word = `decided ${determined} of ${evaluated}`
  return { kind: 'decided', word, share: computeShare(determined) }
}
