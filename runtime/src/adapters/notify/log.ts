import { escapeControls } from 'rubicon-kernel'
import { NOTICE_WORDS } from '../../ports/notice-words.ts'
import type { Notice, Notifier } from '../../ports/notifier.ts'

/** How a notice is written into a log. */
export type NoticeLine = (notice: Notice) => string

/** For whoever collects the log. */
export function toJsonLine(notice: Notice): string {
  return JSON.stringify({ notice })
}

/** For whoever reads it on a terminal: what happened to whom, why, and the flow to look at. */
export function toReadableLine({ kind, agent_id, reason_code, dfid }: Notice): string {
  const flow = dfid === undefined ? '' : `, flow ${dfid}`
  return escapeControls(`⚠ ${agent_id}: ${NOTICE_WORDS[kind]} (${reason_code}${flow})`)
}

/** One line of JSON a notice: for whoever reads the log, and for whoever collects it. */
export function logNotifier(write: (line: string) => void): Notifier {
  return createNoticeLog(write, toJsonLine)
}

/** One line a notice, as its reader needs it. */
export function createNoticeLog(write: (line: string) => void, toLine: NoticeLine): Notifier {
  return {
    name: 'log',
    async send(notice) {
      write(toLine(notice))
    },
  }
}
