/** Three steps from one key to the next: at no time is there none that counts. */
import type { ReactNode } from 'react'
import type { KeyRecord } from 'rubicon-agents/client'
import { ConfirmButton } from '../../../parts/confirm-button.tsx'
import { shortenId } from '../../../parts/id.tsx'
import { Link } from '../../../url/link.tsx'
import { toSettingHref } from '../admin-list.tsx'
import { CommandLine, quoteWord } from '../command-line.tsx'

export function KeyRotation({
  record,
  keys,
  changed,
}: {
  readonly record: KeyRecord
  readonly keys: readonly KeyRecord[]
  readonly changed: () => void
}): ReactNode {
  const { key_id, purpose, subject } = record
  const next = findNextKey(record, keys)
  const word = quoteWord(subject)
  const file = quoteWord(`${subject.replaceAll(/[^A-Za-z0-9_-]/g, '_')}-next.pem`)
  const server = globalThis.location?.origin ?? 'http://127.0.0.1:7420'
  return (
    <section aria-label="rotate the key">
      <h3>Rotate</h3>
      <ol className="settings-steps">
        <li data-done={next !== null}>
          <div className="stack">
            <p>Make the new key where {subject} runs. It is seen here once it is registered.</p>
            {next === null ? (
              <CommandLine
                command={`npx rubicon keys register --purpose ${purpose} --subject ${word} --out ${file} --server ${server}`}
              />
            ) : (
              <p className="quiet">
                <Link href={toSettingHref('keys', next.key_id)}>{shortenId(next.key_id)}</Link> is
                registered, and both count.
              </p>
            )}
          </div>
        </li>
        <li>
          <p>
            Let it take over: {subject} is started with <code>{file}</code> and signs with it. Until
            then it signs with the old one.
          </p>
        </li>
        <li>
          <div className="stack">
            <p>Retire this one, once nothing is signed with it any more.</p>
            {next === null ? (
              <p className="quiet small">There is no newer key of {subject} that counts.</p>
            ) : (
              <p>
                <ConfirmButton
                  word="Retire the old key"
                  keys="r"
                  title={`Retire the old key of ${subject}`}
                  means={[
                    `${shortenId(next.key_id)} counts from now on, and this one does not.`,
                    'Sessions that were opened with the old one end, and are opened again with the new one.',
                    'It cannot be undone.',
                  ]}
                  ask={(client, key) => client.retireKey({ params: { id: key_id }, body: {}, key })}
                  done={changed}
                />
              </p>
            )}
          </div>
        </li>
      </ol>
    </section>
  )
}

/** The newest of the same purpose and subject that counts, if it is newer. */
export function findNextKey(
  { key_id, purpose, subject, added_seq }: KeyRecord,
  keys: readonly KeyRecord[],
): KeyRecord | null {
  const newer = keys.filter(
    (one) =>
      one.key_id !== key_id &&
      one.purpose === purpose &&
      one.subject === subject &&
      one.in_use &&
      one.added_seq > added_seq,
  )
  return newer.toSorted((a, b) => b.added_seq - a.added_seq)[0] ?? null
}
