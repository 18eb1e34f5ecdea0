import { type ReactNode, useId } from 'react'
import { AgentText } from '../../parts/agent-text.tsx'
import type { Field } from './schema-fields.ts'

/** One parameter, in the form that its schema gives it. */
export function ParamField({
  field,
  value,
  change,
}: {
  readonly field: Field
  readonly value: string
  readonly change: (value: string) => void
}): ReactNode {
  const { name, kind, required, choices, hint } = field
  const options = kind === 'flag' ? ['true', 'false'] : choices
  const id = useId()
  return (
    <div className="decision-param">
      <label htmlFor={id}>
        <AgentText text={name} /> {required ? '' : <span className="quiet small">optional</span>}
      </label>
      {options.length > 0 ? (
        <select id={id} value={value} onChange={(event) => change(event.target.value)}>
          {[...new Set([...(required ? [] : ['']), ...options, value])].map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          className="mono"
          autoComplete="off"
          spellCheck={false}
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          value={value}
          onChange={(event) => change(event.target.value)}
        />
      )}
      {hint === '' ? null : <span className="quiet small">{hint}</span>}
    </div>
  )
}
