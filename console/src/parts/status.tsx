import type { ReactNode } from 'react'
import './status.css'

/** What something came to. Icon, word and colour; never colour alone. */
export type Standing = 'allowed' | 'rejected' | 'waiting' | 'unknown' | 'running' | 'repeated'

const ICONS: Readonly<Record<Standing, string>> = {
  allowed: '✔',
  rejected: '✖',
  waiting: '⚠',
  unknown: '?',
  running: '▸',
  repeated: '↺',
}

export type StatusProps = { readonly standing: Standing; readonly word: string }

export function Status({ standing, word }: StatusProps): ReactNode {
  return (
    <span className={`status status-${standing}`}>
      <span aria-hidden="true">{ICONS[standing]}</span> {word}
    </span>
  )
}
