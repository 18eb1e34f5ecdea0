/** One key: what it is for, and the ways in which it ends. */
import { type ReactNode, useState } from 'react'
import type { KeyRecord } from 'rubicon-agents/client'
import { ConfirmButton } from '../../../parts/confirm-button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Id } from '../../../parts/id.tsx'
import { Member, Members } from '../../../parts/members.tsx'
import { Status } from '../../../parts/status.tsx'
import { Link } from '../../../url/link.tsx'
import { CommandLine } from '../command-line.tsx'
import { LookOnly, useIsOperator } from '../operators-only.tsx'
import { CompromiseForm } from './compromise-form.tsx'
import { KeyRotation } from './key-rotation.tsx'
import { describeKeyState, isChangedByToken, PURPOSE_WORDS } from './key-words.ts'

export function KeyDetail({
  record,
  keys,
  changed,
}: {
  readonly record: KeyRecord
  readonly keys: readonly KeyRecord[]
  readonly changed: () => void
}): ReactNode {
  const isOperator = useIsOperator()
  const { key_id, purpose, subject, public_key, added_seq } = record
  return (
    <div className="stack settings-detail">
      <header className="row">
        <h2>{subject}</h2>
        <Status {...describeKeyState(record)} />
      </header>
      <Members>
        <Member name="purpose">{PURPOSE_WORDS[purpose]}</Member>
        <Member name="key">
          <Id value={key_id} whole />
        </Member>
        <Member name="public key">
          <Id value={public_key} whole />
        </Member>
        <Member name="registered">
          <Link href={`/ledger?q=authority%2F${added_seq}`}>authority entry {added_seq}</Link>
        </Member>
        {record.retired_seq === undefined ? null : (
          <Member name="retired">authority entry {record.retired_seq}</Member>
        )}
        {record.compromised_since_seq === undefined ? null : (
          <Member name="compromised">
            signatures from authority entry {record.compromised_since_seq} on are invalid
          </Member>
        )}
      </Members>
      {isOperator ? <KeyDeeds record={record} keys={keys} changed={changed} /> : <LookOnly />}
    </div>
  )
}

function KeyDeeds({
  record,
  keys,
  changed,
}: {
  readonly record: KeyRecord
  readonly keys: readonly KeyRecord[]
  readonly changed: () => void
}): ReactNode {
  const [compromising, setCompromising] = useState(false)
  const { key_id, subject, in_use } = record
  if (!isChangedByToken(record)) return <MachineKey record={record} />
  return (
    <>
      {in_use ? <KeyRotation record={record} keys={keys} changed={changed} /> : null}
      <div className="row">
        {in_use ? (
          <ConfirmButton
            word="Retire"
            title={`Retire a key of ${subject}`}
            name={subject}
            means={[
              'What it signs from now on is invalid. What it signed before stays valid.',
              'Sessions that were opened with it end.',
              'It cannot be undone: whoever needs a key registers a new one.',
            ]}
            ask={(client, key) => client.retireKey({ params: { id: key_id }, body: {}, key })}
            done={changed}
          />
        ) : null}
        {record.compromised_since_seq === undefined ? (
          <button type="button" onClick={() => setCompromising(true)}>
            Mark compromised…
          </button>
        ) : null}
      </div>
      <Dialog
        title={`Mark a key of ${subject} compromised`}
        open={compromising}
        close={() => setCompromising(false)}
      >
        <CompromiseForm
          record={record}
          done={() => {
            setCompromising(false)
            changed()
          }}
        />
      </Dialog>
    </>
  )
}

/** A token can be taken back, and a key that it left behind would not be. */
function MachineKey({
  record: { key_id, purpose, in_use },
}: {
  readonly record: KeyRecord
}): ReactNode {
  return (
    <section className="stack">
      <h3>On the machine</h3>
      <p className="quiet">
        It is a key of the runtime itself, for {purpose}. It is changed by whoever holds the machine
        of the server; a token cannot.
      </p>
      {in_use ? (
        <>
          <p>Retire it: what it signs from now on is invalid.</p>
          <CommandLine command={`npx rubicon keys retire ${key_id}`} />
        </>
      ) : null}
      <p>Declare it compromised: what it signed from an authority entry on is invalid.</p>
      <CommandLine command={`npx rubicon keys compromise ${key_id} --since SEQ`} />
      <p>Encrypt the key files of this machine:</p>
      <CommandLine command="npx rubicon keys seal --passphrase-file FILE" />
    </section>
  )
}
