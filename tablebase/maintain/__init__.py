"""Changes to finished tables: conversion, moving to other drives."""
