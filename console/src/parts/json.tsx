import type { ReactNode } from 'react'
import { Copy } from './id.tsx'
import { toVisibleText } from './visible-text.ts'
import './json.css'

/** Any object as JSON, one click away. */
export function Json({
  value,
  open = false,
  label = 'JSON',
}: {
  readonly value: unknown
  readonly open?: boolean
  readonly label?: string
}): ReactNode {
  const text = JSON.stringify(value, null, 2) ?? 'null'
  return (
    <details className="json" open={open}>
      <summary>{label}</summary>
      <Copy value={text} what="copy as JSON" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <pre tabIndex={0}>{toVisibleLines(text)}</pre>
    </details>
  )
}

/** Escapes are shown, line breaks stay. */
function toVisibleLines(text: string): string {
  return text.split('\n').map(toVisibleText).join('\n')
}
