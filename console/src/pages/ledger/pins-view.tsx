/** What is pinned, and how to pin something that was got elsewhere. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { Id } from '../../parts/id.tsx'
import { When } from '../../parts/when.tsx'
import { type Pin, readPin } from './pins.ts'
import type { Pins } from './use-pins.ts'

export function PinsView({ pins, pin, unpin }: Pins): ReactNode {
  return (
    <section className="stack" aria-label="pins">
      <h2>Pinned in this browser</h2>
      {pins.length === 0 ? (
        <p className="quiet">
          Nothing yet. Pin the log after a check, or pin a key or a checkpoint that you received
          another way.
        </p>
      ) : (
        <ul className="stack">
          {pins.map((one) => (
            <PinRow key={`${one.pinned_at} ${one.key ?? one.checkpoint}`} pin={one} unpin={unpin} />
          ))}
        </ul>
      )}
      <PinForm pin={pin} />
    </section>
  )
}

function PinRow({ pin, unpin }: { readonly pin: Pin } & Pick<Pins, 'unpin'>): ReactNode {
  return (
    <li className="row">
      <span>{pin.tenant === null ? 'any tenant' : `tenant ${pin.tenant}`}</span>
      {pin.key === null ? null : (
        <span>
          key <Id value={pin.key} />
        </span>
      )}
      {pin.checkpoint === null ? null : (
        <span>checkpoint over {pin.checkpoint.split('\n')[1]} entries</span>
      )}
      <span className="quiet">
        pinned <When at={pin.pinned_at} />
      </span>
      <button type="button" className="plain" onClick={() => unpin(pin)}>
        Unpin
      </button>
    </li>
  )
}

function PinForm({ pin }: Pick<Pins, 'pin'>): ReactNode {
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState(false)
  const send = (event: FormEvent): void => {
    event.preventDefault()
    const made = readPin(text, new Date().toISOString())
    setWrong(made === null)
    if (made === null) return
    pin(made)
    setText('')
  }
  return (
    <details>
      <summary>Pin a key or a checkpoint</summary>
      <form className="stack" onSubmit={send}>
        <label className="stack">
          <span>A signed checkpoint, or a public key in base64</span>
          <textarea
            className="mono"
            rows={4}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        {wrong ? <p role="alert">✖ This is neither a checkpoint nor a public key.</p> : null}
        <p>
          <button type="submit" disabled={text === ''}>
            Pin
          </button>
        </p>
      </form>
    </details>
  )
}
