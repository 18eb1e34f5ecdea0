import type { Notifier } from '../../ports/notifier.ts'

/** One line of JSON a notice: for whoever reads the log, and for whoever collects it. */
export function logNotifier(write: (line: string) => void): Notifier {
  return {
    name: 'log',
    async send(notice) {
      write(JSON.stringify({ notice }))
    },
  }
}
