import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { readChoice } from './choice.ts'
import './style/tokens.css'
import './style/base.css'

document.documentElement.dataset.theme = readChoice('theme') ?? 'system'
const place = document.getElementById('console')
if (place !== null)
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
