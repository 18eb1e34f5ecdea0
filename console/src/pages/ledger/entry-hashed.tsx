/** The bytes that were hashed, and the hash again, by this browser. */
import { type ReactNode, useMemo } from 'react'
import type { GetEntryReply } from 'rubicon-agents/client'
import { computeAddressOfText } from 'rubicon-kernel'
import { createBrowserCrypto } from 'rubicon-verifier/browser'
import { Copy } from '../../parts/id.tsx'
import { Status } from '../../parts/status.tsx'
import { Term } from '../../parts/term/term.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'

const { sha256 } = createBrowserCrypto()

export function EntryHashed({ found }: { readonly found: GetEntryReply }): ReactNode {
  const { hashed, entry } = found
  return (
    <div className="stack">
      <Hashed title="Envelope" type="entry" said={entry.id} {...hashed.envelope} />
      {hashed.payload.text === null ? (
        <p className="quiet">
          The payload was erased or archived. Its hash remains: <code>{hashed.payload.hash}</code>
        </p>
      ) : (
        <Hashed
          title="Payload"
          type="payload"
          said={hashed.payload.hash}
          domain={hashed.payload.domain}
          text={hashed.payload.text}
        />
      )}
    </div>
  )
}

function Hashed({
  title,
  type,
  domain,
  text,
  said,
}: {
  readonly title: string
  readonly type: 'entry' | 'payload'
  readonly domain: string
  readonly text: string
  readonly said: string
}): ReactNode {
  const computed = useMemo(() => computeAddressOfText(type, text, sha256), [type, text])
  const fits = computed === said
  return (
    <section className="stack" aria-label={title}>
      <h3 className="row">
        <Term word={type === 'entry' ? 'envelope' : 'payload'}>{title}</Term>{' '}
        <Copy value={text} what={`copy the ${type} as hashed`} />
        <Status
          standing={fits ? 'allowed' : 'rejected'}
          word={
            fits
              ? 'hashed in this browser: it matches'
              : 'hashed in this browser: it does not match'
          }
        />
      </h3>
      <p className="small quiet">
        SHA-256 over <code>{domain}</code>, a zero byte, and this text, as UTF-8. Invisible
        characters are shown by their numbers.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <pre className="hashed-text" tabIndex={0}>
        {toVisibleText(text)}
      </pre>
      <p className="small wrap">
        <code>{computed}</code>
      </p>
    </section>
  )
}
