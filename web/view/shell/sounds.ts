/** A sound as a few notes of a synthesizer, so that there is no file to load. */
type Melody = {
  wave: OscillatorType
  /** Semitones above A (440 Hz), one after the other. */
  notes: number[]
  /** Seconds from one note to the next. */
  step: number
}

const melody = (wave: OscillatorType, step: number, ...notes: number[]): Melody => ({ wave, step, notes })

/** The sounds that the API names. A name that the server has and this client does not know gets the usual one. */
const melodies: Record<string, Melody> = {
  ascend: melody('triangle', 0.09, 0, 4, 7, 12),
  beep_boop: melody('square', 0.14, 12, 5),
  bink: melody('sine', 0.1, 19),
  bright: melody('triangle', 0.08, 16, 19, 24),
  brlip: melody('sawtooth', 0.04, 0, 3, 5, 8),
  chime: melody('sine', 0.18, 15, 10, 3),
  'deep tom': melody('sine', 0.1, -24),
  ding: melody('sine', 0.1, 15),
  'double tap': melody('triangle', 0.11, -5, -5),
  down: melody('sine', 0.1, 12, 7, 3),
  'dry bongos': melody('triangle', 0.09, -12, -7, -12),
  dutdut: melody('square', 0.1, 0, 0),
  'fast ascend': melody('triangle', 0.05, 0, 4, 7, 12, 16),
  flute: melody('sine', 0.2, 12, 14),
  friendly: melody('triangle', 0.13, 3, 7, 10),
  'kick roll': melody('sine', 0.06, -24, -24, -24, -24),
  'loud tintong': melody('square', 0.16, 17, 10),
  'metallic snare': melody('sawtooth', 0.05, 22, 23),
  pan: melody('triangle', 0.1, 8),
  shaker: melody('sawtooth', 0.07, 27, 26, 27),
  simple: melody('sine', 0.1, 3),
  stairs: melody('triangle', 0.1, 0, 2, 4, 5),
  subtle: melody('sine', 0.1, -2),
  swish: melody('sawtooth', 0.03, 5, 8, 11, 14, 17),
  tintong: melody('sine', 0.16, 17, 10),
  up: melody('sine', 0.1, 3, 7, 12),
  'wood block': melody('square', 0.08, 10),
  zaping: melody('sawtooth', 0.04, 24, 18, 12, 20),
  zing: melody('triangle', 0.04, 12, 18, 24),
  zulip: melody('sine', 0.13, 7, 12),
}

const usual = melody('sine', 0.13, 7, 12)

/** How long a note sounds on, in seconds, and how loud it begins: squares and saws sound louder than sines. */
const fade = 0.3
const volumes: Partial<Record<OscillatorType, number>> = { square: 0.06, sawtooth: 0.06 }

let context: AudioContext | undefined
let busyUntil = 0

/**
 * Plays the sound that the user has chosen; `none` is silence. Does nothing before the user has clicked or typed in this
 * tab, because browsers would hold the sound back until then, and while another sound is being played.
 */
export async function playSound(name: string) {
  if (name === 'none' || navigator.userActivation?.hasBeenActive === false) return
  context ??= new AudioContext()
  if (context.state !== 'running') await context.resume()
  const start = context.currentTime
  if (start < busyUntil) return
  const { wave, notes, step } = melodies[name] ?? usual
  busyUntil = start + (notes.length - 1) * step + fade
  for (const [i, semitones] of notes.entries()) playNote(context, wave, semitones, start + i * step)
}

function playNote(audio: AudioContext, wave: OscillatorType, semitones: number, at: number) {
  const oscillator = new OscillatorNode(audio, { type: wave, frequency: 440 * 2 ** (semitones / 12) })
  const gain = new GainNode(audio, { gain: 0 })
  gain.gain.setValueAtTime(volumes[wave] ?? 0.2, at)
  gain.gain.exponentialRampToValueAtTime(0.001, at + fade)
  oscillator.connect(gain).connect(audio.destination)
  oscillator.start(at)
  oscillator.stop(at + fade)
}
