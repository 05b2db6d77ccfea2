/** A piece of code and the class that it is shown in; without a class it is plain. */
export type Token = readonly [className: string, text: string]
