/** How the console looks to whoever reads it: at once, and kept in this browser. */
import type { ReactNode } from 'react'
import { useToast } from '../../parts/toast.tsx'
import { DENSITIES, THEMES, useAppearance } from '../../style/appearance.tsx'
import { DENSITY_WORDS, THEME_WORDS, TIME_WORDS } from '../../style/appearance-words.ts'
import { useTime } from '../../time/time.tsx'
import './appearance-view.css'

const TIMES = ['local', 'utc'] as const

export function AppearanceView(): ReactNode {
  const { theme, density, setTheme, setDensity } = useAppearance()
  const { utc, setUtc } = useTime()
  const toast = useToast()
  const reset = (): void => {
    setTheme('system')
    setDensity('comfortable')
    setUtc(false)
    const undo = (): void => {
      setTheme(theme)
      setDensity(density)
      setUtc(utc)
    }
    toast({ text: 'The default appearance is back.', undo })
  }
  return (
    <div className="appearance stack">
      <Choices
        legend="Theme"
        options={THEMES}
        words={THEME_WORDS}
        value={theme}
        choose={setTheme}
      />
      <Choices
        legend="Density"
        explains="How much room rows and controls take."
        options={DENSITIES}
        words={DENSITY_WORDS}
        value={density}
        choose={setDensity}
      />
      <Choices
        legend="Time"
        explains="The exact time is on every relative one, for whoever points at it."
        options={TIMES}
        words={TIME_WORDS}
        value={utc ? 'utc' : 'local'}
        choose={(chosen) => setUtc(chosen === 'utc')}
      />
      <p>
        <button type="button" onClick={reset}>
          Restore the defaults
        </button>
      </p>
      <p className="quiet small">
        Typefaces and icons are shipped with the console, under{' '}
        <a href="/licences.txt">licences of their own</a>.
      </p>
    </div>
  )
}

function Choices<T extends string>({
  legend,
  explains,
  options,
  words,
  value,
  choose,
}: {
  readonly legend: string
  readonly explains?: string
  readonly options: readonly T[]
  readonly words: Readonly<Record<T, string>>
  readonly value: T
  readonly choose: (chosen: T) => void
}): ReactNode {
  return (
    <fieldset className="appearance-choices">
      <legend>{legend}</legend>
      {explains === undefined ? null : <p className="quiet small">{explains}</p>}
      <div className="row">
        {options.map((option) => (
          <label key={option} className="appearance-choice">
            <input
              type="radio"
              name={legend}
              checked={option === value}
              onChange={() => choose(option)}
            />
            {words[option]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
