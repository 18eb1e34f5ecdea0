import type { ReactNode } from 'react'
import type { Sentence } from 'rubicon-agents/client'
import { AgentText } from '../../parts/agent-text.tsx'

const HEADS: Readonly<Record<Sentence['about'], string>> = {
  who: 'Who it is',
  may: 'What it may do',
  limits: 'Its limits',
  people: 'When people are asked',
  stops: 'When it is stopped',
  budget: 'What it may spend',
  watched: 'What is watched',
  notes: 'Notes',
}

/** A contract as it reads. People wrote it; it is shown as text all the same. */
export function Sentences({ sentences }: { readonly sentences: readonly Sentence[] }): ReactNode {
  const topics = [...new Set(sentences.map(({ about }) => about))]
  return (
    <div className="agent-sentences">
      {topics.map((topic) => (
        <section key={topic}>
          <h3>{HEADS[topic]}</h3>
          <ul>
            {sentences
              .filter(({ about }) => about === topic)
              .map(({ text }) => (
                <li key={text}>
                  <AgentText text={text} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
