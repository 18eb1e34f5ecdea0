/** A button whose deed cannot simply be undone: what it means is said first, in words, and where it matters typed. */
import { type ReactNode, useState } from 'react'
import type { Client, ClientAnswer } from 'rubicon-agents/client'
import { isBlank } from 'rubicon-kernel'
import { useDeed } from '../api/use-deed.ts'
import { useKeys } from '../keys/keys.tsx'
import { ConfirmForm } from './confirm-form.tsx'
import { Dialog } from './dialog.tsx'

export type ConfirmButtonProps<T> = {
  readonly word: string
  readonly title: string
  /** What happens with the click, and what does not. */
  readonly means: readonly string[]
  /** To be typed before. */
  readonly name?: string
  /** The key that asks, while the button is on the screen. */
  readonly keys?: string
  /** A reason is asked for and recorded. */
  readonly hasReason?: true
  readonly ask: (client: Client, key: string, reason: string) => Promise<ClientAnswer<T>>
  readonly done: (body: T) => void
}

export function ConfirmButton<T>(props: ConfirmButtonProps<T>): ReactNode {
  const [open, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  const { keys, title } = props
  useKeys(keys === undefined ? [] : [{ keys, does: title.toLowerCase(), run: () => setOpen(true) }])
  const handleDone = (body: T): void => {
    close()
    props.done(body)
  }
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {props.word}…{keys === undefined ? null : <kbd>{keys}</kbd>}
      </button>
      <Dialog title={props.title} open={open} close={close}>
        <ConfirmDeed {...props} done={handleDone} />
      </Dialog>
    </>
  )
}

function ConfirmDeed<T>({
  word,
  means,
  name,
  hasReason,
  ask,
  done,
}: ConfirmButtonProps<T>): ReactNode {
  const deed = useDeed()
  const [reason, setReason] = useState('')
  const send = async (): Promise<void> => {
    const body = await deed.perform((client, key) => ask(client, key, reason))
    if (body !== null) done(body)
  }
  const isFilled = hasReason === undefined || !isBlank(reason)
  return (
    <ConfirmForm word={word} means={means} name={name} isFilled={isFilled} deed={deed} send={send}>
      {hasReason === undefined ? null : (
        <label>
          Reason
          <textarea value={reason} onChange={(event) => setReason(event.target.value)} />
        </label>
      )}
    </ConfirmForm>
  )
}
