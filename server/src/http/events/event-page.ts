/** Events in a row. Whoever wants all of them is sent the same text, which is put together once. */
import { acceptEveryEvent, type EventFilter } from './event-filter.ts'
import type { LedgerEvent } from './event-view.ts'

export class EventPage {
  readonly events: readonly LedgerEvent[]
  #whole: string | null = null

  constructor(events: readonly LedgerEvent[]) {
    this.events = events
  }

  getTextFor(wants: EventFilter): string {
    if (wants !== acceptEveryEvent) return joinTexts(this.events.filter(({ view }) => wants(view)))
    this.#whole ??= joinTexts(this.events)
    return this.#whole
  }
}

function joinTexts(events: readonly LedgerEvent[]): string {
  return events.map(({ text }) => text).join('')
}
