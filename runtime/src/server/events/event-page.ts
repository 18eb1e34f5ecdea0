/** Events in a row. Whoever wants all of them is sent the same text, which is put together once. */
import { type EventFilter, everything } from './event-filter.ts'
import type { LedgerEvent } from './event-view.ts'

export class EventPage {
  readonly events: readonly LedgerEvent[]
  #whole: string | null = null

  constructor(events: readonly LedgerEvent[]) {
    this.events = events
  }

  textFor(wants: EventFilter): string {
    if (wants !== everything) return textOf(this.events.filter(({ view }) => wants(view)))
    this.#whole ??= textOf(this.events)
    return this.#whole
  }
}

function textOf(events: readonly LedgerEvent[]): string {
  return events.map(({ text }) => text).join('')
}
