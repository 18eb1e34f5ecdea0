import { type Channels, type Notifier, OPERATOR_CHANNEL } from '../../ports/notifier.ts'
import { createNoticeLog, type NoticeLine, toJsonLine } from './log.ts'

/**
 * Channels by name. Contracts name channels, and whoever runs the runtime may have forgotten one:
 * its notices go to the log, which says so once, rather than nowhere. Operators read the log anyway.
 */
export function createChannels(
  notifiers: Readonly<Record<string, Notifier>>,
  write: (line: string) => void,
  toLine: NoticeLine = toJsonLine,
): Channels {
  const log = createNoticeLog(write, toLine)
  const known = new Map([[OPERATOR_CHANNEL, log], ...Object.entries(notifiers)])
  const missed = new Set<string>()
  return {
    hasNotifier: (channel) => Object.hasOwn(notifiers, channel),
    getNotifier(channel) {
      const notifier = known.get(channel)
      if (notifier !== undefined) return notifier
      if (!missed.has(channel)) write(describeUnknownChannel(channel))
      missed.add(channel)
      return log
    },
  }
}

function describeUnknownChannel(channel: string): string {
  const shown = JSON.stringify(channel)
  return `no notifier is configured for the channel ${shown}: its notices are logged`
}
