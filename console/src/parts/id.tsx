import { type ReactNode, useEffect, useState } from 'react'
import { Link } from '../url/link.tsx'
import './id.css'

export type IdProps = {
  readonly value: string
  /** Where it leads. */
  readonly href?: string
  /** Not shortened. */
  readonly whole?: boolean
}

const SHOWN = 14
const COPIED_MS = 1_200

/** An identifier: shortened in the middle, copied by a click. */
export function Id({ value, href, whole = false }: IdProps): ReactNode {
  const text = whole ? value : shortenId(value)
  return (
    <span className="id">
      {href === undefined ? (
        <span className="mono" title={value}>
          {text}
        </span>
      ) : (
        <Link className="mono" href={href} title={value}>
          {text}
        </Link>
      )}
      <Copy value={value} what={`copy ${text}`} />
    </span>
  )
}

export function Copy({
  value,
  what,
}: {
  readonly value: string
  readonly what: string
}): ReactNode {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = (): void => {
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  return (
    <button type="button" className="copy" aria-label={copied ? 'copied' : what} onClick={copy}>
      {copied ? '✔' : <CopyMark />}
    </button>
  )
}

function CopyMark(): ReactNode {
  return (
    <svg className="copy-mark" viewBox="0 0 12 12" aria-hidden="true">
      <path d="M4 4h6v6H4z M2 8V2h6" />
    </svg>
  )
}

/** `sha256:9f3c…00a1` */
export function shortenId(value: string): string {
  const colon = value.indexOf(':')
  const head = colon > 0 && colon < 12 ? value.slice(0, colon + 1) : ''
  const body = value.slice(head.length)
  return body.length <= SHOWN ? value : `${head}${body.slice(0, 4)}…${body.slice(-6)}`
}
