/** What a notification says: what is asked, of what, how much. Never what an agent gives as its reason. */
import type { InboxRow } from 'rubicon-agents/client'
import { formatAmount } from '../parts/amount.ts'
import { toVisibleText } from '../parts/visible-text.ts'

export type NoticeText = {
  /** One of the same name takes its place, also from another tab. */
  readonly tag: string
  readonly title: string
  readonly body: string
  /** Where it leads. */
  readonly href: string
}

type Told = Pick<InboxRow, 'id' | 'kind' | 'action' | 'object' | 'exposure' | 'impact'>

/** More of them at once are told in one. */
const TOLD_SINGLY = 3
const LONGEST = 120

export function listNotices(rows: readonly Told[]): readonly NoticeText[] {
  if (rows.length <= TOLD_SINGLY) return rows.map(toNotice)
  const body = 'Open the inbox to see what is asked.'
  return [{ tag: 'inbox', title: `${rows.length} requests wait for you`, body, href: '/inbox' }]
}

function toNotice({ id, kind, action, object, exposure, impact }: Told): NoticeText {
  const what = action === null ? KINDS[kind] : `${action} ${object ?? ''}`.trimEnd()
  const amount =
    exposure === null || typeof exposure.value !== 'string'
      ? []
      : [`${formatAmount(exposure.value)} ${exposure.measure}`]
  const care = impact === 'HIGH_IMPACT' ? ['high impact'] : []
  return {
    tag: id,
    title: shorten(what),
    body: shorten([...amount, ...care, 'waits for you'].join(' · ')),
    href: `/inbox/${encodeURIComponent(id)}`,
  }
}

const KINDS: Readonly<Record<InboxRow['kind'], string>> = {
  proposal: 'A proposal',
  silence: 'An agent fell silent',
  failure: 'Effects keep failing',
  asked: 'An agent asks for a person',
}

/** Objects are words of an agent: as text, and no longer than a line. */
function shorten(text: string): string {
  const visible = toVisibleText(text)
  return visible.length > LONGEST ? `${visible.slice(0, LONGEST)}…` : visible
}
