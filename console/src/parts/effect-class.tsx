/** What a second call would do, in the word of the protocol, which the glossary explains. */
import type { ReactNode } from 'react'
import { Term } from './term/term.tsx'

const CLASSES: ReadonlyMap<string, ReactNode> = new Map([
  ['read', <Term key="read" word="read" />],
  ['put_if_match', <Term key="put_if_match" word="put_if_match" />],
  ['keyed', <Term key="keyed" word="keyed" />],
  ['queryable', <Term key="queryable" word="queryable" />],
  ['unsafe', <Term key="unsafe" word="unsafe" />],
])

export function EffectClass({ effect }: { readonly effect: string }): ReactNode {
  return CLASSES.get(effect) ?? effect
}
