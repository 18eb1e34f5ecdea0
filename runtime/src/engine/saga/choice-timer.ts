/** The timer that wakes whoever is to choose about a dirty flow, by its name. */
import { toChoicePath } from 'rubicon-kernel'

/** There is a space in no other timer's name but those that wake. */
const PREFIX = 'compensate '

export function toChoiceTimer(dfid: string): string {
  return `${PREFIX}${dfid}`
}

/** What the flow that it opens is shown besides. */
export function parseChoiceTimer(name: string): { readonly asked?: string } {
  return name.startsWith(PREFIX) ? { asked: toChoicePath(name.slice(PREFIX.length)) } : {}
}
