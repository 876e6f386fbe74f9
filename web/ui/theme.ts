import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';
import controls from './controls.module.css';
import { emOf, menuMs, sheetMs } from './sizes.ts';

/**
 * The theme of the component library. The `--e-*` colours come from tokens.css; the library calculates its shades from
 * these tuples.
 */
const shades = (tones: string) => tones.split(' ').map((tone) => `#${tone}`) as unknown as MantineColorsTuple;

const line = '1px solid var(--e-line-strong)';
const none = '1px solid transparent';

/**
 * Button colours by meaning: green is the main act, amber moves money, brick is destructive, outline is everything
 * else.
 */
const variantColorResolver: VariantColorsResolver = (input) => {
  if (input.variant === 'money') {
    return {
      background: 'var(--e-coin)',
      hover: 'var(--e-coin-hover)',
      color: 'var(--e-on-coin)',
      border: none,
    };
  }
  if (input.color === 'brick' && input.variant === 'outline') {
    return {
      background: 'var(--e-sheet)',
      hover: 'var(--e-bad-soft)',
      color: 'var(--e-bad)',
      border: '1px solid var(--e-bad)',
    };
  }
  if (input.color === 'brick' && input.variant === 'filled') {
    return { background: 'var(--e-bad)', hover: 'var(--e-bad)', color: 'var(--e-sheet)', border: none };
  }
  if (input.variant === 'filled' && (input.color === undefined || input.color === 'green')) {
    return {
      background: 'var(--e-green)',
      hover: 'var(--e-green-hover)',
      color: 'var(--e-on-green)',
      border: none,
    };
  }
  if (input.variant === 'subtle') {
    return { background: 'transparent', hover: 'var(--e-sunk)', color: 'var(--e-ink-2)', border: none };
  }
  if (input.variant === 'default') {
    return { background: 'var(--e-sheet)', hover: 'var(--e-sunk)', color: 'var(--e-ink)', border: line };
  }
  return defaultVariantColorsResolver(input);
};

const field = { size: 'md', inputWrapperOrder: ['label', 'description', 'input', 'error'] as const };

export const theme = createTheme({
  white: '#FFFDF7',
  black: '#17211B',
  autoContrast: true,
  luminanceThreshold: 0.35,
  primaryColor: 'green',
  primaryShade: { light: 8, dark: 3 },
  colors: {
    green: shades('EDF4EE DDEADF B4D9C2 8FCDAA 63AB86 3E8C67 24704E 17603F 0F4D37 0A3B2A'),
    coin: shades('FDF6E4 FAECC8 F4D88F EFC05A E9B23C DDA325 B57F12 875A02 5F3F02 3A2D0F'),
    brick: shades('FDF2EF F8E1DB F2C4B9 F2A394 DC7C6A C4553F AF3E2D 9C2F22 7C231A 43211B'),
    clay: shades('FCF2E9 F7E4D3 F1CBA9 EDB184 D98F56 BF6F33 A6581F 8A4413 6B340E 40291A'),
    slate: shades('EFF4F7 E0E8EE C3D4E0 A9CBE6 7BA3C2 547F9F 3D6788 2C5476 213F59 1E303D'),
    gray: shades('FBF7EE F6F1E6 EEE7D8 DFD6C3 C9BFA9 A89F8A 877F6B 626A61 455047 17211B'),
    dark: shades('EFF1E9 BCC6BD 97A39A 75837A 2B372F 212B25 18201B 101612 0B100D 080C09'),
  },
  fontFamily: 'var(--e-font-text)',
  fontFamilyMonospace: 'var(--e-font-mono)',
  fontWeights: {
    regular: 'var(--e-weight-text)',
    medium: 'var(--e-weight-label)',
    bold: 'var(--e-weight-figure)',
  },
  fontSizes: {
    xs: 'var(--e-size-caption)',
    sm: 'var(--e-size-small)',
    md: 'var(--e-size-body)',
    lg: 'var(--e-size-h3)',
    xl: 'var(--e-size-card)',
  },
  lineHeights: {
    xs: 'var(--e-leading-caption)',
    sm: 'var(--e-leading-small)',
    md: 'var(--e-leading-body)',
    lg: 'var(--e-leading-h3)',
    xl: 'var(--e-leading-card)',
  },
  headings: {
    fontWeight: 'var(--e-weight-heading)',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: 'var(--e-size-h1)', lineHeight: 'var(--e-leading-h1)' },
      h2: { fontSize: 'var(--e-size-h2)', lineHeight: 'var(--e-leading-h2)' },
      h3: { fontSize: 'var(--e-size-card)', lineHeight: 'var(--e-leading-card)' },
      h4: { fontSize: 'var(--e-size-h3)', lineHeight: 'var(--e-leading-h3)' },
    },
  },
  spacing: {
    xs: 'var(--e-space-8)',
    sm: 'var(--e-space-12)',
    md: 'var(--e-space-16)',
    lg: 'var(--e-space-24)',
    xl: 'var(--e-space-32)',
  },
  radius: {
    xs: 'var(--e-radius-check)',
    sm: 'var(--e-radius-badge)',
    md: 'var(--e-radius-control)',
    lg: 'var(--e-radius-card)',
    xl: 'var(--e-radius-dialog)',
  },
  defaultRadius: 'md',
  breakpoints: {
    xs: emOf('phone'),
    sm: emOf('tablet'),
    md: emOf('laptop'),
    lg: emOf('desktop'),
    xl: emOf('wide'),
  },
  shadows: {
    xs: '0 1px 0 var(--e-edge)',
    sm: '0 1px 0 var(--e-edge)',
    md: 'var(--e-pop)',
    lg: 'var(--e-pop)',
    xl: 'var(--e-dialog)',
  },
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSmoothing: true,
  variantColorResolver,
  components: {
    Button: {
      defaultProps: { size: 'md' },
      classNames: { root: controls.button, label: controls.buttonLabel },
    },
    ActionIcon: { defaultProps: { variant: 'subtle', size: 40 }, classNames: { root: controls.icon } },
    ModalRoot: { defaultProps: { transitionProps: { duration: sheetMs } } },
    DrawerRoot: { defaultProps: { transitionProps: { duration: sheetMs } } },
    ModalOverlay: { defaultProps: { color: 'var(--e-veil)', backgroundOpacity: 1 } },
    DrawerOverlay: { defaultProps: { color: 'var(--e-veil)', backgroundOpacity: 1 } },
    TextInput: { defaultProps: field, classNames: fieldClasses() },
    PasswordInput: {
      defaultProps: field,
      classNames: { ...fieldClasses(), innerInput: controls.innerInput },
    },
    Textarea: { defaultProps: field, classNames: { ...fieldClasses(), input: controls.textarea } },
    NativeSelect: { defaultProps: field, classNames: fieldClasses() },
    Select: { defaultProps: { size: 'md' }, classNames: fieldClasses() },
    Checkbox: {
      defaultProps: { radius: 'xs' },
      classNames: { input: controls.check, label: controls.checkLabel },
    },
    SegmentedControl: {
      defaultProps: { size: 'md', radius: 'var(--e-radius-segment)', withItemsBorders: false },
      classNames: { root: controls.segments, label: controls.segment, indicator: controls.segmentNow },
    },
    Menu: {
      defaultProps: {
        shadow: 'md',
        radius: 'var(--e-radius-segment)',
        transitionProps: { duration: menuMs },
        // Rendered in place and not in a portal, so that it is inside a landmark and follows its button in reading
        // order.
        withinPortal: false,
        withInitialFocusPlaceholder: false,
      },
      classNames: { dropdown: controls.menu, item: controls.menuItem, label: controls.menuLabel },
    },
    Notification: {
      classNames: { root: controls.toast, title: controls.toastTitle, description: controls.toastText },
    },
    Skeleton: { defaultProps: { animate: false } },
    Tooltip: { defaultProps: { radius: 'sm' }, classNames: { tooltip: controls.tooltip } },
    Loader: { defaultProps: { color: 'var(--e-green)', type: 'oval' } },
  },
});

function fieldClasses() {
  return {
    wrapper: controls.fieldFrame,
    input: controls.input,
    label: controls.label,
    error: controls.error,
    description: controls.help,
  };
}

const mapped = {
  '--mantine-color-body': 'var(--e-paper)',
  '--mantine-color-text': 'var(--e-ink)',
  '--mantine-color-bright': 'var(--e-ink)',
  '--mantine-color-dimmed': 'var(--e-ink-2)',
  '--mantine-color-placeholder': 'var(--e-ink-3)',
  '--mantine-color-anchor': 'var(--e-green-text)',
  '--mantine-color-default': 'var(--e-sheet)',
  '--mantine-color-default-hover': 'var(--e-sunk)',
  '--mantine-color-default-color': 'var(--e-ink)',
  '--mantine-color-default-border': 'var(--e-line-strong)',
  '--mantine-color-error': 'var(--e-bad)',
  '--mantine-color-success': 'var(--e-ok)',
  '--mantine-primary-color-filled': 'var(--e-green)',
  '--mantine-primary-color-filled-hover': 'var(--e-green-hover)',
  '--mantine-primary-color-contrast': 'var(--e-on-green)',
  '--mantine-color-green-filled': 'var(--e-green)',
  '--mantine-color-green-filled-hover': 'var(--e-green-hover)',
};

/** Maps the library's colour names to ours, in both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: mapped, dark: mapped });
