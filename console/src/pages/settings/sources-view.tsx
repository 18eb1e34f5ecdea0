/** Sources of facts: who may report what decisions are checked on. */
import type { ReactNode } from 'react'
import type { Client, ClientAnswer, FactSource } from 'rubicon-agents/client'
import { useClient } from '../../api/session.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { Empty } from '../../parts/outcomes.tsx'
import type { Column } from '../../parts/rows.tsx'
import { useToast } from '../../parts/toast.tsx'
import { When } from '../../parts/when.tsx'
import { go } from '../../url/location.ts'
import { AdminLead } from './admin-lead.tsx'
import { AdminList, toSettingHref } from './admin-list.tsx'
import { CommandLine, quoteWord } from './command-line.tsx'
import { FieldDialog } from './field-dialog.tsx'
import { LookOnly, useIsOperator } from './operators-only.tsx'

type ShownSource = FactSource & {
  /** When it last reported what still stands; null: never, or it is asked for each decision. */
  readonly reported: string | null
}

const COLUMNS: readonly Column<ShownSource>[] = [
  { head: 'source', cell: ({ source_id }) => source_id },
  { head: 'trusted as', cell: ({ label }) => label },
  { head: 'last report', cell: ({ reported }) => <When at={reported} /> },
  { head: 'paths', cell: ({ paths }) => paths.join(' '), wide: true },
  { head: 'signs', cell: ({ key }) => (key === undefined ? 'no' : 'yes'), wide: true },
]

const LABELS = ['trusted', 'operator', 'external'] as const

async function loadSources(
  client: Client,
  signal: AbortSignal,
): Promise<ClientAnswer<readonly ShownSource[]>> {
  const answer = await client.listSources({ signal })
  if (!answer.ok) return answer
  const { sources, reported } = answer.body
  const rows = sources.map((source) => {
    return { ...source, reported: reported?.[source.source_id] ?? null }
  })
  return { ...answer, body: rows }
}

export function SourcesView({ id }: { readonly id: string }): ReactNode {
  return (
    <AdminList
      what="sources of facts"
      tab="sources"
      id={id}
      ask={loadSources}
      columns={COLUMNS}
      keyOf={({ source_id }) => source_id}
      lead={({ again }) => (
        <AdminLead says="Limits are checked on facts: a price, a balance. Every path has one owner, and nobody else reports it.">
          <RegisterSource done={again} />
        </AdminLead>
      )}
      empty={
        <Empty
          what="No source is registered: decisions read what the runtime knows itself."
          command="npx rubicon source add prices --label trusted --paths 'market.price.*'"
        />
      }
      detail={(source, _, again) =>
        source === null ? (
          <Empty what={`There is no source ${id}.`} />
        ) : (
          <SourceDetail key={source.source_id} source={source} changed={again} />
        )
      }
    />
  )
}

function RegisterSource({ done }: { readonly done: () => void }): ReactNode {
  return (
    <FieldDialog
      word="Register source"
      explains="One of the same name is replaced. Over HTTP it needs a token of its own."
      fields={[
        { name: 'source_id', label: 'Name', placeholder: 'prices' },
        { name: 'label', label: 'Trusted as', options: LABELS },
        {
          name: 'paths',
          label: 'Paths that it owns, separated by commas',
          placeholder: 'market.*',
        },
        { name: 'key', label: 'Its Ed25519 public key in base64 (optional)', optional: true },
      ]}
      ask={(client, { source_id = '', label = '', paths = '', key = '' }) =>
        client.registerSource({
          body: {
            source_id,
            label: LABELS.find((one) => one === label) ?? 'external',
            paths: paths.split(',').map((path) => path.trim()),
            ...(key.trim() === '' ? {} : { key: key.trim() }),
          },
        })
      }
      done={done}
      hasMain
    />
  )
}

function SourceDetail({
  source,
  changed,
}: {
  readonly source: ShownSource
  readonly changed: () => void
}): ReactNode {
  const isOperator = useIsOperator()
  const client = useClient()
  const toast = useToast()
  const { reported, ...registration } = source
  const { source_id, label, paths, max_paths, key } = registration
  const handleRetired = (): void => {
    const undo = (): void => void client.registerSource({ body: registration }).then(changed)
    toast({ text: `${source_id} is retired.`, undo })
    changed()
    go(toSettingHref('sources', ''))
  }
  return (
    <div className="stack settings-detail">
      <h2>{source_id}</h2>
      {isOperator ? (
        <div className="row">
          <ConfirmButton
            word="Retire"
            title={`Retire ${source_id}`}
            name={source_id}
            means={[
              'Its facts are absent from now on: decisions that need one are refused.',
              'What was decided on them stays as it was. You can register it again.',
            ]}
            ask={(asked) => asked.retireSource({ params: { source: source_id } })}
            done={handleRetired}
          />
        </div>
      ) : (
        <LookOnly />
      )}
      <Members>
        <Member name="trusted as">{label}</Member>
        <Member name="paths">
          <ul className="mono">
            {paths.map((path) => (
              <li key={path}>{path}</li>
            ))}
          </ul>
        </Member>
        <Member name="last report">
          {reported === null ? (
            'none that still stands; a source in the process is asked for each decision'
          ) : (
            <When at={reported} />
          )}
        </Member>
        <Member name="at most">{max_paths} paths</Member>
        <Member name="signs">{key === undefined ? 'no' : <code>{key}</code>}</Member>
      </Members>
      <section>
        <h3>Its token</h3>
        <p className="quiet">Over HTTP it reports with a token of its own, made on the machine:</p>
        <CommandLine command={`npx rubicon token ${quoteWord(source_id)} --role source`} />
      </section>
    </div>
  )
}
