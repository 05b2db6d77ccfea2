/** Enough for clear speech. Half an hour takes 7 MB. */
const bitsPerSecond = 32_000

/** The formats that browsers record, and the endings of their files, by which the server plays them in place. */
const formats = [
  { type: 'audio/webm;codecs=opus', ending: 'webm' },
  { type: 'audio/mp4', ending: 'm4a' },
  { type: 'audio/ogg;codecs=opus', ending: 'ogg' },
]

/** How long a recording takes by now, in seconds, and how loud it is at the moment, from 0 to 1. */
export type Heard = { seconds: number; level: number }

/** This browser, or a page that is not secure, cannot record. */
export class CannotRecord extends Error {}

/**
 * Records the microphone until `stop` is aborted, the recording takes this many bytes, or the microphone goes. Calls `tell` when it
 * begins, and ten times a second. Throws CannotRecord, or what getUserMedia throws, such as NotAllowedError.
 */
export async function recordSound(
  name: string,
  mostBytes: number,
  stop: AbortSignal,
  tell: (heard: Heard) => void,
): Promise<File> {
  const format = formats.find(({ type }) => globalThis.MediaRecorder?.isTypeSupported(type))
  if (!format || !navigator.mediaDevices) throw new CannotRecord()
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const meter = new LevelMeter(stream)
  const recorder = new MediaRecorder(stream, { mimeType: format.type, audioBitsPerSecond: bitsPerSecond })
  const end = () => recorder.state === 'inactive' || recorder.stop()
  const beginning = performance.now()
  const look = () => {
    const seconds = (performance.now() - beginning) / 1000
    tell({ seconds, level: meter.level() })
    if ((seconds * bitsPerSecond) / 8 > mostBytes) end()
  }
  const timer = setInterval(look, 100)
  try {
    const sound = soundOf(recorder)
    recorder.start()
    look()
    stop.addEventListener('abort', end)
    if (stop.aborted) end()
    return new File([await sound], `${name}.${format.ending}`, { type: format.type })
  } finally {
    clearInterval(timer)
    meter.close()
    // The browser shows that the microphone is in use until its tracks have ended.
    for (const track of stream.getTracks()) track.stop()
  }
}

/** Returns all that is recorded, when it ends. */
function soundOf(recorder: MediaRecorder): Promise<Blob> {
  return new Promise((resolve, reject) => {
    recorder.addEventListener('dataavailable', ({ data }) => resolve(data))
    recorder.addEventListener('error', reject)
  })
}

/** Shows that the microphone hears something. */
class LevelMeter {
  private readonly context = new AudioContext()
  private readonly analyser = new AnalyserNode(this.context, { fftSize: 1024 })
  private readonly samples = new Float32Array(this.analyser.fftSize)

  constructor(stream: MediaStream) {
    this.context.createMediaStreamSource(stream).connect(this.analyser)
  }

  /** Speech has a root mean square of up to a quarter. */
  level(): number {
    this.analyser.getFloatTimeDomainData(this.samples)
    const squares = this.samples.reduce((sum, each) => sum + each * each, 0)
    return Math.min(1, 4 * Math.sqrt(squares / this.samples.length))
  }

  close() {
    void this.context.close()
  }
}
